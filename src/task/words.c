/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the questions. No word is the beginning of another one, so their order is decided
 * within both words. */
#include "language/number_names.h"
#include "task/make.h"

static const char *const common[] = {
    "acorn",   "anchor",     "apron",    "arrow",    "autumn",  "badger",   "bakery",
    "balcony", "bamboo",     "barrel",   "basket",   "beacon",  "beetle",   "blanket",
    "blossom", "bottle",     "branch",   "breeze",   "bridge",  "bronze",   "brush",
    "bucket",  "button",     "cabin",    "cactus",   "camera",  "canal",    "candle",
    "canyon",  "carpet",     "castle",   "cellar",   "chalk",   "cherry",   "chimney",
    "circle",  "cliff",      "cloud",    "clover",   "coast",   "cobbler",  "collar",
    "comet",   "copper",     "coral",    "cotton",   "cradle",  "crater",   "crayon",
    "cricket", "crystal",    "cupboard", "curtain",  "cushion", "dagger",   "daisy",
    "dancer",  "dawn",       "desert",   "diamond",  "dinner",  "dolphin",  "dragon",
    "drawer",  "dream",      "drizzle",  "eagle",    "echo",    "elbow",    "ember",
    "engine",  "envelope",   "evening",  "fabric",   "falcon",  "farmer",   "feather",
    "fence",   "ferry",      "fiddle",   "field",    "finger",  "flame",    "flannel",
    "flock",   "flour",      "flute",    "forest",   "fossil",  "fountain", "fox",
    "freckle", "frost",      "furnace",  "galaxy",   "garden",  "garlic",   "gazebo",
    "ginger",  "glacier",    "glove",    "goblet",   "granite", "grape",    "gravel",
    "guitar",  "hammer",     "harbour",  "harvest",  "hazel",   "hedge",    "helmet",
    "heron",   "hill",       "hinge",    "honey",    "hornet",  "horse",    "hotel",
    "iceberg", "igloo",      "inkwell",  "island",   "ivory",   "jacket",   "jaguar",
    "jasmine", "jelly",      "jigsaw",   "jolly",    "journal", "jungle",   "kennel",
    "kettle",  "kingdom",    "kitchen",  "knight",   "knot",    "ladder",   "lagoon",
    "lantern", "lark",       "lava",     "leather",  "lemon",   "lentil",   "letter",
    "library", "lighthouse", "lily",     "lizard",   "lobster", "locket",   "lumber",
    "magnet",  "mantle",     "marble",   "market",   "meadow",  "medal",    "melon",
    "mirror",  "mitten",     "mosaic",   "mountain", "muffin",  "museum",   "mustard",
    "napkin",  "needle",     "nettle",   "notebook", "nutmeg",  "oak",      "oasis",
    "oatmeal", "ocean",      "olive",    "onion",    "orbit",   "orchard",  "otter",
    "oven",    "owl",        "oyster",   "paddle",   "palace",  "panther",  "parade",
    "parcel",  "parrot",     "pasture",  "pebble",   "pelican", "pencil",   "pepper",
    "piano",   "pickle",     "pigeon",   "pillow",   "pirate",  "planet",   "plaster",
    "pocket",  "pond",       "poppy",    "portrait", "potato",  "prairie",  "pudding",
    "pumpkin", "puppet",     "puzzle",   "quarry",   "quartz",  "quill",    "quilt",
    "rabbit",  "radish",     "rafter",   "raven",    "ribbon",  "ridge",    "river",
    "rocket",  "rooster",    "rope",     "saddle",   "saffron", "salmon",   "sandal",
    "satchel", "scarf",      "scissors", "shadow",   "shell",   "shelter",  "shovel",
    "signal",  "silver",     "sketch",   "slipper",  "snail",   "sparrow",  "spider",
    "spinach", "sponge",     "spruce",   "squirrel", "stable",  "starling", "station",
    "stream",  "summer",     "swallow",  "tablet",   "tailor",  "tangle",   "teapot",
    "temple",  "thimble",    "thistle",  "thunder",  "ticket",  "tiger",    "timber",
    "tomato",  "torch",      "tractor",  "trumpet",  "tulip",   "tunnel",   "turnip",
    "turtle",  "umbrella",   "valley",   "vanilla",  "velvet",  "village",  "vinegar",
    "violet",  "volcano",    "wagon",    "walnut",   "walrus",  "warden",   "waterfall",
    "wheat",   "whistle",    "willow",   "window",   "winter",  "wizard",   "wolf",
    "wonder",  "yarn",       "yogurt",   "zebra",    "zenith",  "zigzag",
};

static const char *const names[] = {
    "Ada",     "Ben",    "Cora",   "Dan",   "Elena", "Felix", "Greta", "Hugo",    "Iris",  "Jonas",
    "Karin",   "Leon",   "Mina",   "Noah",  "Olga",  "Paul",  "Rosa",  "Simon",   "Tara",  "Uwe",
    "Vera",    "Walter", "Yara",   "Zoe",   "Anton", "Bella", "Clara", "David",   "Emil",  "Fiona",
    "Gustav",  "Helen",  "Ingrid", "Jakob", "Lena",  "Marek", "Nadia", "Oskar",   "Petra", "Ronja",
    "Stefan",  "Thea",   "Viktor", "Wanda", "Amir",  "Chen",  "Dalia", "Eduardo", "Farah", "Hana",
    "Ibrahim", "Jin",    "Kofi",   "Lucia", "Mei",   "Pedro", "Priya", "Ravi",    "Sana",  "Tomas",
};

const word_list words_common = {common, sizeof common / sizeof *common};
const word_list words_names = {names, sizeof names / sizeof *names};

const char *words_ordinal(size_t i)
{
    const char *word = number_word_of(ORDINAL_WORDS, (unsigned)i + 1);
    return word ? word : "next";
}

const char *words_count(size_t n)
{
    return n == 0 ? "no" : n > 10 ? "many" : number_word_of(NUMBER_WORDS, (unsigned)n);
}

static bool has(const size_t *items, size_t n, size_t item)
{
    for (size_t i = 0; i < n; i++)
        if (items[i] == item)
            return true;
    return false;
}

void words_draw(rdv_rng *rng, size_t of, size_t n, size_t *out)
{
    for (size_t i = 0; i < n; i++)
        do
            out[i] = rdv_rng_below(rng, of);
        while (has(out, i, out[i]));
}
