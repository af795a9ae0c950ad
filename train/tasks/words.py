# SPDX-License-Identifier: Apache-2.0
"""Names and words that the problems are made of."""

HE = """Tom Ben Max Leo Sam Omar Ivan Hugo Paul Nils Finn Luca Emil Jack Adam Karl Theo Noah Otto
Ravi""".split()
SHE = """Ann Mia Eva Lena Sara Ida Nora Ella Zoe Rosa Maya Lucy Clara Emma Vera Jana Tina Amy Ruth
Olga""".split()
NAMES = HE + SHE

# Players of the tasks with several people, in their order.
PLAYERS = ["Alice", "Bob", "Claire", "Dave", "Eve", "Fred", "Gertrude"]

THINGS = """apples books cards coins eggs marbles pencils stamps stickers shells cookies plums pears
roses balls beads buttons candles cakes keys nuts oranges pens rings stones toys tickets flowers
photos cups""".split()

# Words to sort and to spell: common ones, with many that begin alike.
SORTED = """ant apple arm art autumn axe baker ball banana barn basket bean bear bell berry bird boat
bone book bottle bread brick bridge brush bucket cabin cake camel camp candle carrot castle cat chair
cheese cherry circle city clock cloud coat coin corn cotton cow crown cup dance desk dish doctor dog
door dragon dream dress drum duck eagle earth east egg elbow engine evening fair farm father feather
fence field finger fire fish flag flower forest fork fox frog fruit garden gate ghost gift giraffe
glass glove goat gold grape grass guitar hammer hand harbor hat heart hill honey horse house ice
iron island jacket jam jar jewel juice jungle kettle key king kitchen kite knife ladder lake lamp
leaf lemon letter lion lizard magnet map market meadow melon metal milk mirror money monkey moon
morning mountain mouse mud nail needle nest net night north nose nut oak oar ocean office olive onion
orange oven owl page paint palace paper park peach pear pebble pencil pepper piano pillow pilot
planet plate pocket pond potato queen quilt rabbit radio rain ribbon rice ring river road robot rock
roof root rope rose sail salt sand school scissors sea seed shadow sheep ship shirt shoe shop silk
silver snail snow soap sock soup spider spoon spring star stone storm story street sugar summer sun
swan table tail tea tent thread tiger toast tomato tooth tower town train tree truck turtle valley
vase village violin wagon wall water wave west whale wheel wind window winter wolf wood wool yard
yarn zebra""".split()
