// SPDX-License-Identifier: Apache-2.0
// The script of a report: filters, search, links, keyboard and theme. Without it everything is shown, but for
// the chains of a large report, which are packed: an index, and chunks of chains that are unpacked when they
// are looked at or searched.
(function () {
  "use strict";
  const WRONG = 1;
  const PER_PAGE = 25;
  const KEPT_CHUNKS = 8;
  const AHEAD = 4; // chunks that are unpacked at a time for a search
  const TELL_MS = 100; // between two views of a search that goes on
  const find = (selector) => document.querySelector(selector);
  const list = find("#list");

  // ---- the theme

  const root = document.documentElement;
  const themeButton = find("#theme");

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function showTheme() {
    themeButton.textContent = isDark() ? "Light" : "Dark";
    themeButton.setAttribute("aria-label", isDark() ? "Use the light theme" : "Use the dark theme");
  }

  function changeTheme() {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
    try { localStorage.setItem("rederive-theme", root.dataset.theme); } catch (e) { /* a file may have no storage */ }
  }

  // ---- formulas

  // A formula is written as its source, which may be hostile. KaTeX reads it into a tree, and of the tree only
  // what is named here becomes an element: nothing that has a colour, a size of its own, a link or a negative
  // width, or that hides what the source shows. Whatever else there is, and whatever fails, leaves the source.
  const MATHML = "http://www.w3.org/1998/Math/MathML";
  const MAX_FORMULA = 4096, MAX_LEVELS = 100, MAX_NODES = 5000;
  const KATEX = { output: "mathml", throwOnError: true, strict: "ignore", trust: false, maxSize: 10, maxExpand: 1000 };
  const SOURCE_ONLY = new Set(("color textcolor colorbox fcolorbox fbox framebox href url includegraphics phantom hphantom vphantom " +
    "smash llap rlap clap mathllap mathrlap mathclap kern mkern mskip hskip hspace negthinspace negmedspace negthickspace ! raisebox " +
    "vcenter rule tiny Tiny sixptsize scriptsize footnotesize small normalsize large Large LARGE huge Huge def gdef edef xdef let " +
    "futurelet newcommand renewcommand providecommand global long char mathchoice TextOrMath message errmessage show pmb").split(" "));
  const upTo = (most) => (value) => /^\d*\.?\d+em$/.test(value) && parseFloat(value) <= most;
  const oneOf = (...values) => (value) => values.includes(value);
  const flag = oneOf("true", "false");
  const words = (value) => /^[a-z -]*$/.test(value);
  const any = () => true;
  // The elements of MathML with their attributes, and what these may be.
  const ELEMENTS = {
    mrow: {}, mi: {}, mn: {}, mtext: {}, msqrt: {}, mroot: {}, msub: {}, msup: {}, msubsup: {}, mtr: {}, mtd: {},
    mo: { stretchy: flag, fence: flag, separator: flag, symmetric: flag, accent: flag, movablelimits: flag,
      form: oneOf("prefix", "infix", "postfix"), lspace: upTo(1), rspace: upTo(1), minsize: upTo(4), maxsize: upTo(4) },
    mspace: { width: upTo(2), linebreak: oneOf("newline") },
    mfrac: { linethickness: oneOf("0px") },
    munder: { accentunder: flag }, mover: { accent: flag }, munderover: { accent: flag, accentunder: flag },
    mstyle: { scriptlevel: oneOf("0", "1", "2"), displaystyle: flag },
    mtable: {},
  };
  // Those that are replaced: by letters, by a class of the style sheet, or by an mrow.
  const REPLACED = {
    mi: { mathvariant: words }, mn: { mathvariant: words }, mo: { mathvariant: words }, mtext: { mathvariant: words },
    mtable: { rowspacing: any, columnspacing: any, columnalign: words },
    menclose: { notation: oneOf("box") },
    mpadded: { width: oneOf("+0.6em"), lspace: oneOf("0.3em") },
  };
  // Letters of their own in Unicode, since browsers know no mathvariant but "normal".
  const ALPHABETS = {
    "double-struck": { A: 0x1d538, a: 0x1d552, 0: 0x1d7d8, not: "CℂHℍNℕPℙQℚRℝZℤ" },
    script: { A: 0x1d49c, a: 0x1d4b6, not: "BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ" },
    fraktur: { A: 0x1d504, a: 0x1d51e, not: "CℭHℌIℑRℜZℨ" },
    bold: { A: 0x1d400, a: 0x1d41a, 0: 0x1d7ce }, "bold-italic": { A: 0x1d468, a: 0x1d482 },
    "sans-serif": { A: 0x1d5a0, a: 0x1d5ba, 0: 0x1d7e2 }, monospace: { A: 0x1d670, a: 0x1d68a, 0: 0x1d7f6 },
  };

  function letters(text, name) {
    const alphabet = of(ALPHABETS, name);
    return !alphabet ? text : text.replace(/[A-Za-z0-9]/g, (letter) => {
      const others = Array.from(alphabet.not || "");
      const other = others.findIndex((found, i) => i % 2 === 0 && found === letter);
      const first = letter <= "9" ? "0" : letter <= "Z" ? "A" : "a";
      if (other >= 0) return others[other + 1];
      return alphabet[first] ? String.fromCodePoint(alphabet[first] + letter.charCodeAt(0) - first.charCodeAt(0)) : letter;
    });
  }

  function refuse(what) {
    throw new Error("shown as its source: " + what);
  }

  // What a table has of that name; "constructor" and the like are no rows of it.
  function of(table, name) {
    return table && Object.hasOwn(table, name) ? table[name] : undefined;
  }

  // The columns of a table are aligned by the style sheet.
  function alignColumns(table, attributes) {
    const sides = String(attributes.columnalign || "").split(" ");
    if (attributes.columnspacing === "0em") table.classList.add("tight");
    for (const row of table.children)
      Array.from(row.children).forEach((cell, i) => {
        const side = sides[Math.min(i, sides.length - 1)];
        if (side === "left" || side === "right") cell.classList.add("a" + side[0]);
      });
  }

  // The element that a node of KaTeX's tree stands for, still empty.
  function elementOf(node) {
    const own = of(ELEMENTS, node.type), replaced = of(REPLACED, node.type);
    if (!own && !replaced) refuse(node.type);
    const element = document.createElementNS(MATHML, own ? node.type : "mrow");
    for (const [name, given] of Object.entries(node.attributes || {})) {
      const value = String(given), isOwn = of(own, name), isReplaced = of(replaced, name);
      if (isOwn && isOwn(value)) element.setAttribute(name, value);
      else if (!isReplaced || !isReplaced(value)) refuse(node.type + " " + name);
      else if (name === "mathvariant" && value === "normal") element.setAttribute(name, value);
      else if (name === "notation") element.classList.add("boxed");
    }
    return element;
  }

  // Append what a node of KaTeX's tree stands for.
  function build(parent, node, state, level, alphabet) {
    if (level > MAX_LEVELS || ++state.nodes > MAX_NODES) refuse("too large");
    if (typeof node.text === "string") {
      if (/[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?![\u2061-\u2064])\p{Cf}/u.test(node.text)) refuse("control characters");
      parent.append(letters(node.text, alphabet));
    } else if (node.type === undefined && node.width !== undefined) {
      if (!(node.width >= 0 && node.width <= 2)) refuse("a space");
      const space = document.createElementNS(MATHML, "mspace");
      space.setAttribute("width", node.width + "em");
      parent.append(space);
    } else if (node.type === "semantics") {
      build(parent, node.children[0], state, level, alphabet); // the other child is the source
    } else if (node.type === undefined || node.type === "math") {
      for (const child of node.children) build(parent, child, state, level, alphabet);
    } else {
      const element = elementOf(node);
      const own = node.attributes && node.attributes.mathvariant;
      for (const child of node.children) build(element, child, state, level + 1, own || alphabet);
      if (node.type === "mtable") alignColumns(element, node.attributes || {});
      parent.append(element);
    }
  }

  function mathOf(source, isBlock) {
    const inside = source.replace(/^(\$\$?|\\[([])/, "").replace(/(\$\$?|\\[)\]])$/, "");
    if (source.length > MAX_FORMULA) refuse("too long");
    for (const [, name] of inside.matchAll(/\\([A-Za-z@]+|[^])/g))
      if (SOURCE_ONLY.has(name) || name.startsWith("html") || name.includes("@")) refuse(name);
    if (inside.replace(/\\[^]/g, "").includes("%")) refuse("a comment");
    const tree = window.katex.__renderToDomTree(inside, { ...KATEX, displayMode: isBlock, macros: {} });
    const math = document.createElementNS(MATHML, "math");
    if (isBlock) math.setAttribute("display", "block");
    build(math, tree, { nodes: 0 }, 0, "");
    if (!math.textContent.trim()) refuse("nothing to see");
    return math;
  }

  function draw(formula) {
    let math;
    if (formula.dataset.tried) return;
    formula.dataset.tried = "1";
    try { math = mathOf(formula.textContent, formula.classList.contains("block")); } catch (e) { return; }
    const source = document.createElement("span");
    source.className = "src";
    source.append(...formula.childNodes);
    const marked = source.querySelector("mark") !== null; // then the source stays to be seen, below
    formula.append(math, source);
    formula.classList.add("drawn");
    formula.classList.toggle("marked", marked);
  }

  const drawing = window.katex && new IntersectionObserver((seen) => {
    const formulas = seen.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    formulas.forEach((formula) => { drawing.unobserve(formula); draw(formula); });
    const wide = formulas.filter((formula) => formula.scrollWidth > formula.clientWidth + 1);
    wide.forEach((formula) => formula.classList.add("wide"));
  }, { rootMargin: "300px" });

  // Formulas are drawn when they are about to be seen.
  function drawLater(within) {
    if (drawing) within.querySelectorAll(".tex").forEach((formula) => drawing.observe(formula));
  }

  // What is copied is the source, as it stands.
  function copySource(event) {
    if (!event.clipboardData || event.target.closest?.("input") || !document.querySelector(".tex.drawn")) return;
    root.classList.add("copying");
    event.clipboardData.setData("text/plain", String(getSelection()));
    root.classList.remove("copying");
    event.preventDefault();
  }

  // The text of an element, its formulas as their source.
  function sourceOf(element) {
    const copy = element.cloneNode(true);
    copy.querySelectorAll("math").forEach((math) => math.remove());
    return copy.textContent;
  }

  // ---- chains: the same questions asked of a plain and of a packed report

  // Every chain has its flags, data set and method; a store says which of them a text is in, and shows some.
  function plainStore() {
    const articles = list ? Array.from(list.querySelectorAll("article.chain")) : [];
    const sections = list ? Array.from(list.querySelectorAll("section.question")) : [];
    const texts = new Map();
    const textOf = (i) => {
      if (!texts.has(i)) {
        const head = articles[i].closest(".question").querySelector(".head");
        texts.set(i, (sourceOf(head) + " " + sourceOf(articles[i])).toLowerCase());
      }
      return texts.get(i);
    };
    const numbers = (name) => articles.map((article) => Number(article.dataset[name]));
    return {
      n: articles.length,
      flags: numbers("flags"), sets: numbers("set"), methods: numbers("method"),
      search: (text, among, found) => found(among.filter((i) => textOf(i).includes(text)), true),
      async show(chains) {
        const shown = new Set(chains);
        articles.forEach((article, i) => { article.hidden = !shown.has(i); });
        sections.forEach((section) => {
          const own = section.querySelectorAll("article.chain");
          section.hidden = own.length > 0 && !section.querySelector("article.chain:not([hidden])");
        });
      },
      indexOf: (anchor) => articles.findIndex((article) => article.id === anchor),
      perPage: Infinity,
    };
  }

  async function unpack(script) {
    const packed = atob(script.textContent);
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).text();
  }

  function packedStore(index) {
    const htmls = document.querySelectorAll("script.packed-html");
    const textScripts = document.querySelectorAll("script.packed-text");
    const texts = [];
    const open = new Map();
    let byAnchor = null;
    // The chunk that a chain is in, by the first chains of all chunks.
    const chunkOf = (i, firsts) => {
      let low = 0, high = firsts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (firsts[middle] <= i) low = middle; else high = middle - 1;
      }
      return low;
    };
    // The chains of a chunk as HTML, each with the head of its question.
    async function chunk(k) {
      if (open.has(k)) return open.get(k);
      const chains = [];
      let head = "";
      for (const part of (await unpack(htmls[k])).split(/(?=[\x1e\x1f])/)) {
        if (part[0] === "\x1e") head = part.slice(1);
        else if (part) chains.push({ head, html: part.slice(1) });
      }
      open.set(k, chains);
      if (open.size > KEPT_CHUNKS) open.delete(open.keys().next().value);
      return chains;
    }
    // The texts of a chunk, which stay unpacked; the next ones are begun, since each waits for another thread.
    function lines(k) {
      for (let i = k; i < Math.min(k + AHEAD, textScripts.length); i++)
        texts[i] ??= unpack(textScripts[i]).then((text) => text.toLowerCase().split("\n"));
      return texts[k];
    }
    return {
      n: index.flags.length,
      flags: index.flags, sets: index.sets, methods: index.methods,
      async search(text, among, found, isOld) {
        const hits = [];
        let told = 0, last = performance.now();
        for (let at = 0; at < among.length;) {
          const k = chunkOf(among[at], index.texts);
          const end = k + 1 < index.texts.length ? index.texts[k + 1] : Infinity;
          const own = await lines(k);
          if (isOld()) return;
          for (; at < among.length && among[at] < end; at++)
            if (own[among[at] - index.texts[k]].includes(text)) hits.push(among[at]);
          // The first page is shown as it fills.
          if (told < PER_PAGE && hits.length > told && performance.now() - last > TELL_MS) {
            told = hits.length;
            await found(hits.slice(), false);
            last = performance.now();
          }
        }
        await found(hits, true);
      },
      async show(chains, isOld) {
        const parts = [];
        let question = -1;
        for (const i of chains) {
          const k = chunkOf(i, index.chunks);
          const { head, html } = (await chunk(k))[i - index.chunks[k]];
          if (isOld()) return;
          if (index.questions[i] !== question) {
            parts.push((question < 0 ? "" : "</section>") + '<section class="question"><div class="head">' + head + "</div>");
            question = index.questions[i];
          }
          parts.push(html);
        }
        // What is inserted was escaped when the report was written, and the page's security policy allows no
        // script but this one.
        list.innerHTML = parts.join("") + (parts.length ? "</section>" : "");
        drawLater(list);
      },
      indexOf(anchor) {
        if (!byAnchor) byAnchor = new Map(index.anchors.map((name, i) => [name, i]));
        return byAnchor.has(anchor) ? byAnchor.get(anchor) : -1;
      },
      perPage: PER_PAGE,
    };
  }

  const indexScript = find("#index");
  const store = indexScript ? packedStore(JSON.parse(indexScript.textContent)) : plainStore();

  // ---- filters and search

  const tools = find("#tools");
  const search = find("#search");
  const wanted = { flag: 0, set: "", method: "", text: "" };
  let opening = 0; // the filter that the report opens on,
  let chosen = false; // until one is chosen
  let matching = [];
  let page = 0;
  let turn = 0; // grows with each change, so that a slower earlier one is dropped

  function filtered() {
    const out = [];
    for (let i = 0; i < store.n; i++)
      if ((!wanted.flag || store.flags[i] & wanted.flag) && (wanted.set === "" || store.sets[i] === Number(wanted.set)) &&
          (wanted.method === "" || store.methods[i] === Number(wanted.method)))
        out.push(i);
    return out;
  }

  function tell(complete) {
    const all = matching.length === store.n;
    const count = matching.length.toLocaleString("en");
    find("#shown").textContent = !complete ? "searching: " + count + " so far" : all ? "" :
      count + " of " + store.n.toLocaleString("en") + " solutions";
  }

  async function render(mine) {
    const pages = Math.max(1, Math.ceil(matching.length / store.perPage));
    page = Math.min(page, pages - 1);
    await store.show(store.perPage === Infinity ? matching : matching.slice(page * store.perPage, (page + 1) * store.perPage),
      () => mine !== turn);
    if (mine !== turn || store.perPage === Infinity) return;
    find("#pages").hidden = pages < 2;
    find("#page").textContent = "page " + (page + 1).toLocaleString("en") + " of " + pages.toLocaleString("en");
    find("#previous").disabled = page === 0;
    find("#next").disabled = page + 1 >= pages;
  }

  async function update() {
    const mine = ++turn;
    const among = filtered();
    page = 0;
    const found = (hits, complete) => {
      if (mine !== turn) return undefined;
      matching = hits;
      tell(complete);
      return render(mine);
    };
    if (wanted.text) await store.search(wanted.text, among, found, () => mine !== turn);
    else await found(among, true);
    root.dataset.ready = String(mine);
  }

  function filterBy(flag) {
    wanted.flag = flag;
    for (const button of tools.querySelectorAll("[data-flag]"))
      button.setAttribute("aria-pressed", String(Number(button.dataset.flag) === flag));
  }

  function choose(flag) {
    chosen = true;
    filterBy(flag);
    return update();
  }

  // A search looks at all chains, unless a filter was chosen.
  function look(text) {
    wanted.text = text;
    if (!chosen) filterBy(text ? 0 : opening);
    return update();
  }

  async function turnTo(to, at) {
    page = to;
    await render(++turn);
    (at || find("#chains")).scrollIntoView();
  }

  // ---- steps

  let current = null;

  function mark(step) {
    if (current) current.classList.remove("at");
    current = step;
    const fold = step.closest(".fold > details");
    if (fold) fold.open = true;
    step.classList.add("at");
    step.scrollIntoView({ block: "center" });
    step.querySelector("a.n").focus({ preventScroll: true });
  }

  const wrongSteps = () => Array.from(list.querySelectorAll("li.step.wrong")).filter((step) => !step.closest("[hidden]"));

  // The next wrong step from the marked one; in a packed report also on other pages.
  async function move(by) {
    const steps = wrongSteps();
    const from = current && document.contains(current) ? current : null;
    const later = (step) => from && from.compareDocumentPosition(step) & Node.DOCUMENT_POSITION_FOLLOWING;
    const earlier = (step) => from && from.compareDocumentPosition(step) & Node.DOCUMENT_POSITION_PRECEDING;
    const next = by > 0 ? (from ? steps.find(later) : steps[0]) : (from ? steps.filter(earlier).pop() : steps[steps.length - 1]);
    if (next) return mark(next);
    if (store.perPage === Infinity) return undefined;
    const begin = page * PER_PAGE, end = begin + PER_PAGE;
    let at = by > 0 ? end : begin - 1;
    while (at >= 0 && at < matching.length && !(store.flags[matching[at]] & WRONG)) at += by;
    if (at < 0 || at >= matching.length) return undefined;
    current = null;
    page = Math.floor(at / PER_PAGE);
    await render(++turn);
    return move(by);
  }

  // Show what the address names: a chain or a step that is filtered out, or on another page.
  async function follow() {
    const anchor = location.hash.slice(1); // it needs no decoding: see html_anchor() in html_text.h
    if (!anchor) return;
    const own = store.indexOf(anchor);
    const i = own < 0 ? store.indexOf(anchor.replace(/:\d+$/, "")) : own; // ":" is only before a step
    if (i < 0) return;
    if (!matching.includes(i)) {
      Object.assign(wanted, { set: "", method: "", text: "" });
      for (const field of tools.querySelectorAll("input, select")) field.value = "";
      await choose(0);
    }
    if (store.perPage !== Infinity) {
      page = Math.floor(matching.indexOf(i) / PER_PAGE);
      await render(++turn);
    }
    const step = document.getElementById(anchor);
    if (step && step.classList.contains("step")) mark(step);
    else if (step) step.scrollIntoView();
  }

  // ---- keyboard

  const keys = find("#keys");

  function press(event) {
    const typing = event.target.closest("input, select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (event.key === "Escape" && event.target === search) {
      search.value = "";
      search.blur();
      look("");
    }
    if (typing) return;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/" && search) search.focus();
    else if (event.key === "?") keys.showModal();
    else if (event.key === "t") changeTheme();
    else if (event.key === "e" && current) {
      const evidence = current.querySelector("details.evidence");
      if (evidence) evidence.open = !evidence.open;
    } else return;
    event.preventDefault();
  }

  // ---- the beginning

  try {
    const kept = localStorage.getItem("rederive-theme");
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  } catch (e) { /* as above */ }
  showTheme();
  drawLater(document);
  addEventListener("beforeprint", () => {
    document.querySelectorAll(".fold > details").forEach((fold) => { fold.open = true; });
    if (drawing) document.querySelectorAll(".tex").forEach(draw);
  });
  if (drawing) document.addEventListener("copy", copySource);
  themeButton.hidden = false;
  themeButton.addEventListener("click", changeTheme);
  const help = find("#help");
  help.hidden = false;
  help.addEventListener("click", () => keys.showModal());
  document.addEventListener("keydown", press);
  if (tools) {
    tools.hidden = false;
    tools.addEventListener("submit", (event) => event.preventDefault());
    for (const button of tools.querySelectorAll("[data-flag]")) {
      button.addEventListener("click", () => choose(Number(button.dataset.flag)));
      if (button.getAttribute("aria-pressed") === "true") opening = wanted.flag = Number(button.dataset.flag);
    }
    for (const link of document.querySelectorAll("[data-show]")) // a number leads to what it counts
      link.addEventListener("click", () => choose(Number(link.dataset.show)));
    let waiting = 0;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => look(search.value.trim().toLowerCase()), 120);
    });
    for (const name of ["set", "method"])
      if (find("#" + name)) find("#" + name).addEventListener("change", (event) => { wanted[name] = event.target.value; update(); });
    if (find("#previous")) {
      find("#previous").addEventListener("click", () => turnTo(page - 1));
      find("#next").addEventListener("click", () => turnTo(page + 1));
    }
    addEventListener("hashchange", follow);
    update().then(follow);
  } else {
    root.dataset.ready = "1";
  }
})();
