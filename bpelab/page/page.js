/* The play page: texts, two views of them through a vocabulary, training, and the link that holds it all.
   Text is never put into the page but as text. */
"use strict";

(() => {
  const { NEVER } = bpelabPlay;
  const LANGUAGES = ["en", "ja"], LEAST = 256, STEPS = 1000, TRAINED = "trained";
  const DRAWN = 250; // tokens drawn at first, and again whenever a list is scrolled to its end
  const MOVED = 40; // so many new tokens move at once, no more: the eye follows no flood
  const lang = document.documentElement.lang.slice(0, 2) in bpelabPlay.words ? document.documentElement.lang.slice(0, 2) : "en";
  const words = bpelabPlay.words[lang];
  const say = (key, ...values) => values.reduce((text, value) => text.replace("{}", () => value), words[key]);
  const FORMS = { whole: {}, rounded: { maximumFractionDigits: 2 }, digits: { maximumSignificantDigits: 3 },
    percent: { style: "percent", maximumSignificantDigits: 3 } };
  for (const [name, options] of Object.entries(FORMS)) FORMS[name] = new Intl.NumberFormat(lang, options);
  const number = (value, form = "whole") => (Number.isFinite(value) ? FORMS[form].format(value) : "–");
  const rounded = (value) => number(value, "rounded");
  /* Text that is there already is left alone: the browser lays out what has changed. */
  const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  const labels = { ...bpelabPlay.names, own: words.own, [TRAINED]: words.trained };
  const state = { price: 1, context: 128000, ids: true, training: null };

  /* --- elements --- */

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== false) element.setAttribute(name, value === true ? "" : value);
    element.append(...children);
    return element;
  }

  function draw(tag, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const button = (text, label, onclick) => make("button", { type: "button", "aria-label": label, title: label, onclick }, text);
  const labelled = (text, element, kind = "") => make("label", { class: kind }, text, element);

  /* --- tokens as people read them --- */

  const SIGNS = { " ": "␣", "\n": "↵", "\r": "␍", "\t": "⇥", "\u3000": "□" };
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  /* The pieces of a token: [kind, text], kind "text", "sign" (what has no look of its own) or "piece" (bytes). */
  function pieces(bytes) {
    const found = [];
    const add = (kind, text, between = "") => {
      const last = found.at(-1);
      if (last && last[0] === kind) last[1] += between + text;
      else found.push([kind, text]);
    };
    for (let i = 0; i < bytes.length; ) {
      const size = bytes[i] < 0x80 ? 1 : bytes[i] < 0xe0 ? 2 : bytes[i] < 0xf0 ? 3 : 4;
      try {
        if (i + size > bytes.length) throw new TypeError();
        for (const character of strict.decode(bytes.subarray(i, i + size))) {
          const sign = SIGNS[character];
          if (sign) add("sign", sign);
          else if (/[\p{C}\p{Z}]/u.test(character)) add("sign", "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0"), " ");
          else add("text", (/\p{M}/u.test(character) && found.at(-1)?.[0] !== "text" ? "◌" : "") + character);
        }
        i += size;
      } catch {
        add("piece", bytes[i++].toString(16).toUpperCase().padStart(2, "0"), "·");
      }
    }
    return found;
  }

  const plain = (bytes) =>
    pieces(bytes).reduce((text, [kind, part], i, all) => text + (i && [kind, all[i - 1][0]].includes("piece") ? "·" : "") + part, "");

  /* A token keeps its colour: it is that of its bytes. */
  function hue(bytes) {
    let code = 7;
    for (const byte of bytes) code = (Math.imul(code, 31) + byte) >>> 0;
    return ((code ^ (code >>> 7)) % 18) * 20;
  }

  function tokenElement(bytes, id) {
    const text = make("bdi", { dir: "auto" }, ...pieces(bytes).map(([kind, part]) => make("span", { class: kind }, part)));
    const element = make("li", { title: `${id}`, style: `--h: ${hue(bytes)}` }, text, make("small", {}, `${id}`));
    return element;
  }

  /* --- texts --- */

  const areas = {};
  const texts = () => LANGUAGES.map((language) => areas[language].value);

  function textsSection() {
    const boxes = LANGUAGES.map((language) => {
      areas[language] = make("textarea", { lang: language, dir: "auto", spellcheck: "false", rows: 4, oninput: changed });
      return labelled(words[language], areas[language], "over");
    });
    const choice = make("select", {
      onchange() {
        if (choice.value === "") return;
        LANGUAGES.forEach((language, at) => { areas[language].value = bpelabPlay.examples[choice.value][at]; });
        choice.value = "";
        changed();
      },
    }, make("option", { value: "" }, "–"));
    bpelabPlay.examples.forEach(([english], at) =>
      choice.append(make("option", { value: at }, english.length > 34 ? english.slice(0, 33) + "…" : english)));
    const ids = make("input", { type: "checkbox", onchange: () => { state.ids = ids.checked; settings(); } });
    const amount = (key, step) => {
      const input = make("input", { type: "number", min: 0, step, oninput() { state[key] = Math.max(0, Number(input.value) || 0); settings(); } });
      inputs[key] = input;
      return labelled(words[key], input);
    };
    inputs.ids = ids;
    return make("section", { "aria-label": words.texts }, make("div", { class: "pair" }, ...boxes), make("div", { class: "line" },
      labelled(words.example, choice), amount("price", "any"), amount("context", 1), labelled(words.ids, ids)));
  }

  const inputs = {};
  function settings() {
    root.classList.toggle("no-ids", !state.ids);
    views.forEach((view) => view.figures());
    remember();
  }

  let waiting = 0;
  function changed() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      views.forEach((view) => view.readTexts());
      trainer.show();
      remember();
    });
  }

  /* --- one view: a vocabulary, its size, the tokens, figures and curve --- */

  class View {
    constructor(at) {
      this.at = at;
      this.name = "";
      this.select = make("select", { onchange: () => this.choose(this.select.value) });
      this.slider = make("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": words.sizeOf, oninput: () => this.cut(this.merges(this.slider.value)), onkeydown: (event) => event.stopPropagation() });
      this.exact = make("input", { type: "number", min: LEAST, step: 1, "aria-label": words.sizeOf, onchange: () => this.cut(Math.round(Number(this.exact.value) || 0) - LEAST) });
      this.back = button("◀", words.back, () => this.move(-1));
      this.forward = button("▶", words.forward, () => this.move(1));
      this.player = make("button", { type: "button", onclick: () => this.play() }, words.play);
      this.says = make("output", {});
      this.live = make("p", { role: "status", "aria-live": "polite", class: "quiet" });
      this.lists = LANGUAGES.map((language, i) => make("ul", { class: "tokens", role: "list", lang: language, tabindex: 0, onscroll: () => this.scrolled(i) }));
      this.heads = LANGUAGES.map(() => make("h3"));
      this.table = make("table", { class: "figures" });
      this.premium = make("p", { class: "quiet" });
      this.picture = draw("svg", { viewBox: "0 0 480 220", role: "img" });
      for (const kind of ["pointerdown", "pointermove"])
        this.picture.addEventListener(kind, (event) => (event.buttons || kind === "pointerdown") && this.point(event));
      this.body = make("div", {}, make("div", { class: "line" }, this.back, this.slider, this.forward, this.player, labelled(words.size, this.exact)),
        this.says, ...LANGUAGES.flatMap((_, i) => [this.heads[i], this.lists[i]]), make("h3", {}, words.figures), this.table, this.premium,
        make("h3", {}, words.curve), this.picture);
      this.element = make("section", { class: "view", "aria-label": say("vocabulary", at + 1) },
        make("h2", {}, say("vocabulary", at + 1)), labelled(words.choose, this.select), this.live, this.body);
      this.options();
    }

    options() {
      const names = [...(this.at ? [""] : []), ...Object.keys(bpelabPlay.names), ...(state.training ? [TRAINED] : [])];
      this.select.replaceChildren(...names.map((name) => make("option", { value: name }, name ? labels[name] : words.none)));
      this.select.value = this.name;
    }

    /* size: tokens; nothing for the whole vocabulary */
    async choose(name, size) {
      this.stop();
      this.name = name;
      this.select.value = name;
      this.wanted = size;
      this.body.hidden = true;
      this.live.textContent = name ? say("loading", labels[name]) : "";
      this.live.classList.remove("wrong");
      remember();
      if (!name) return;
      let vocabulary;
      try {
        vocabulary = name === TRAINED ? trainer.vocabulary() : await bpelabPlay.vocabulary(name);
      } catch {
        if (this.name === name) this.live.textContent = say("missing", labels[name]);
        return;
      }
      if (this.name !== name) return; // another was chosen meanwhile
      this.vocabulary = vocabulary;
      this.count = this.clamped((this.wanted ?? vocabulary.size) - LEAST);
      this.body.hidden = false;
      this.exact.max = vocabulary.size;
      this.readTexts();
      remember();
    }

    get ready() { return this.name && !this.body.hidden; }
    clamped(merges) { return Math.min(Math.max(merges, 0), this.vocabulary.merges); }

    /* The slider is logarithmic: the same step multiplies the size by the same factor. */
    merges(position) { return this.clamped(Math.round(LEAST * (this.vocabulary.size / LEAST) ** (position / STEPS)) - LEAST); }
    position(merges) {
      const whole = Math.log(this.vocabulary.size / LEAST);
      return whole ? Math.round((STEPS * Math.log((LEAST + merges) / LEAST)) / whole) : 0;
    }

    readTexts() {
      if (!this.ready) return;
      this.readings = texts().map((text) => this.vocabulary.read(text));
      this.curves = this.readings.map((reading) => this.vocabulary.curve(reading));
      const sizes = new Set();
      for (const { borders } of this.readings) for (const level of borders) if (level !== NEVER) sizes.add(Math.floor(level) + 1);
      this.changes = Int32Array.from(sizes).sort();
      this.stepped = false;
      this.lists.forEach((list) => { Object.assign(list, { drawn: [], moved: [], rest: null, most: DRAWN }).replaceChildren(); });
      this.curve();
      this.show();
      this.draw();
    }

    /* stepped: by one merge, so that what it makes may move; under the slider nothing does. */
    cut(merges, stepped = false) {
      this.count = this.clamped(merges);
      this.stepped = stepped;
      this.show();
      remember();
    }

    scrolled(i) {
      const list = this.lists[i];
      if (list.scrollTop + 1.5 * list.clientHeight < list.scrollHeight || list.drawn.length < list.most) return;
      list.most += DRAWN;
      this.list(i, this.readings[i]);
    }

    /* To the next merge that changes these texts, or back before the last one. */
    move(way) {
      const at = this.changes.findIndex((change) => change > this.count), last = at < 0 ? this.changes.length : at;
      if (way > 0 && at >= 0) this.cut(this.changes[at], true);
      if (way < 0 && last > 0) this.cut(this.changes[last - 1] - 1, true);
      return way > 0 ? at >= 0 : last > 0;
    }

    play() {
      if (this.timer) return this.stop();
      if (!this.changes.some((change) => change > this.count)) this.cut(0);
      this.player.textContent = words.pause;
      this.timer = setInterval(() => { if (!this.move(1)) this.stop(); }, 350);
    }

    stop() {
      clearInterval(this.timer);
      this.timer = 0;
      this.player.textContent = words.play;
    }

    /* The controls at once; what is drawn, once a frame, however many events come. */
    show() {
      const size = this.count + LEAST;
      this.slider.value = this.position(this.count);
      this.slider.setAttribute("aria-valuetext", number(size));
      this.exact.value = size;
      this.back.disabled = !(this.changes[0] <= this.count);
      this.forward.disabled = !(this.changes.at(-1) > this.count);
      this.frame ||= requestAnimationFrame(() => this.draw());
    }

    draw() {
      cancelAnimationFrame(this.frame);
      this.frame = 0;
      if (!this.ready) return;
      write(this.says, this.lastMerge());
      this.readings.forEach((reading, i) => this.list(i, reading));
      this.figures();
      this.cursor();
      clearTimeout(this.speaking);
      this.speaking = setTimeout(() => this.speak(), 400);
    }

    /* The newest merge that has changed these texts. */
    lastMerge() {
      const change = this.changes.findLast((each) => each <= this.count);
      if (!change) return words.untouched;
      const id = LEAST + change - 1, name = (each) => plain(this.vocabulary.spelled(each));
      const parts = this.vocabulary.parts(id);
      return parts ? say("merge", number(change), name(parts[0]), name(parts[1]), name(id)) : say("wholeMerge", number(change), name(id));
    }

    /* The first tokens of a text. Two sizes share most of them: an element stays where its token does. */
    list(i, reading) {
      const list = this.lists[i], tokens = this.vocabulary.tokens(reading, this.count, list.most);
      const old = list.drawn, fresh = [];
      list.moved.forEach((element) => element.classList.remove("fresh"));
      let at = 0;
      list.drawn = tokens.map(([start, end, id]) => {
        if (at < old.length && old[at].start === start && old[at].end === end) return old[at++];
        while (at < old.length && old[at].start < end) old[at++].element.remove();
        const element = tokenElement(reading.bytes.subarray(start, end), id);
        list.insertBefore(element, at < old.length ? old[at].element : list.rest);
        fresh.push(element);
        return { start, end, element };
      });
      while (at < old.length) old[at++].element.remove();
      list.moved = this.stepped && fresh.length <= MOVED ? fresh : [];
      list.moved.forEach((element) => element.classList.add("fresh"));
      this.rest(i);
    }

    /* How many tokens there are, and how many are not drawn. */
    rest(i) {
      const list = this.lists[i], count = this.curves[i][this.count], more = count - list.drawn.length;
      const said = more > 0 ? say("more", number(more)) : count ? "" : words.nothing;
      list.rest?.remove();
      list.rest = said ? make("li", { class: "rest" }, said) : null;
      if (list.rest) list.append(list.rest);
      const head = `${words[LANGUAGES[i]]}: ${say("tokensOf", number(count))}`;
      write(this.heads[i], head);
      list.setAttribute("aria-label", head);
    }

    figures() {
      if (!this.ready) return;
      const counts = this.curves.map((curve) => curve[this.count]);
      const each = (figure) => this.readings.map((reading, i) => figure(reading, counts[i]));
      const rows = {
        tokens: [each((_, count) => count)],
        characters: [each((reading) => reading.characters)],
        bytes: [each((reading) => reading.bytes.length)],
        perToken: [each((reading, count) => reading.characters / count), "rounded"],
        cost: [each((_, count) => (count * state.price) / 1e6), "digits"],
        share: [each((_, count) => count / state.context), "percent"],
      };
      if (!this.cells) this.fill(Object.keys(rows));
      for (const [key, [values, form]] of Object.entries(rows))
        [...values.map((value) => number(value, form)), rounded(values[1] / values[0])].forEach((text, i) => write(this.cells[key][i], text));
      this.ratio = counts[1] / counts[0];
      write(this.premium, Number.isFinite(this.ratio) ? say("premium", rounded(this.ratio)) : "");
    }

    /* The table of figures, its cells still empty. */
    fill(keys) {
      const columns = [...LANGUAGES, "ratio"];
      this.cells = Object.fromEntries(keys.map((key) => [key, columns.map(() => make("td"))]));
      const head = make("tr", {}, make("td"), ...columns.map((key) => make("th", { scope: "col" }, words[key])));
      const body = keys.map((key) => make("tr", {}, make("th", { scope: "row" }, words[key]), ...this.cells[key]));
      this.table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
    }

    speak() {
      const counts = this.curves.map((curve) => number(curve[this.count]));
      this.live.textContent = say("said", labels[this.name], number(this.count + LEAST), ...counts, rounded(this.ratio));
    }

    /* --- the curve --- */

    x(merges) { return 44 + (370 * this.position(merges)) / STEPS; }
    y(tokens) { return 190 - (170 * tokens) / this.most; }

    curve() {
      this.most = Math.max(1, ...this.curves.map((curve) => curve[0]));
      const picture = this.picture, full = this.vocabulary.merges;
      picture.replaceChildren();
      for (const part of [0, 0.5, 1]) {
        const y = this.y(part * this.most);
        picture.append(draw("line", { class: "grid", x1: 44, x2: 414, y1: y, y2: y }));
        picture.append(draw("text", { x: 40, y: y + 4, "text-anchor": "end" }, number(Math.round(part * this.most))));
      }
      for (let size = LEAST, last = -99; size <= full + LEAST; size *= 4) {
        const x = this.x(size - LEAST);
        if (x - last < 40) continue;
        picture.append(draw("text", { x, y: 208, "text-anchor": "middle" }, number((last = x) && size)));
      }
      const ends = this.curves.map((curve) => this.y(curve[full]));
      if (Math.abs(ends[0] - ends[1]) < 14) ends[ends[0] < ends[1] || ends[0] > 175 ? 0 : 1] = Math.max(...ends) - 14;
      LANGUAGES.forEach((language, i) => {
        const points = [];
        for (let at = 0; at <= STEPS; at += 4) points.push(`${44 + (370 * at) / STEPS},${this.y(this.curves[i][this.merges(at)]).toFixed(1)}`);
        picture.append(draw("polyline", { class: language, points: points.join(" ") }));
        picture.append(draw("text", { class: language, x: 418, y: ends[i] + 4 }, words[language]));
      });
      this.line = draw("line", { class: "cursor", y1: 14, y2: 194 });
      this.note = draw("text", { y: 11 });
      picture.append(this.line, this.note);
    }

    cursor() {
      const x = this.x(this.count);
      this.line.setAttribute("x1", x);
      this.line.setAttribute("x2", x);
      this.note.setAttribute("x", x);
      this.note.setAttribute("text-anchor", x > 300 ? "end" : x < 120 ? "start" : "middle");
      this.note.textContent = say("at", this.curves.map((curve) => number(curve[this.count])).join(" / "), number(this.count + LEAST));
      const ends = [0, this.count, this.vocabulary.merges].map((merges) => say("at", LANGUAGES.map((language, i) =>
        `${words[language]} ${number(this.curves[i][merges])}`).join(", "), number(merges + LEAST)));
      this.picture.setAttribute("aria-label", say("curveSays", ends.join("; ")));
    }

    point(event) {
      const box = this.picture.getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * 480;
      this.cut(this.merges(Math.min(Math.max(((x - 44) / 370) * STEPS, 0), STEPS)));
    }
  }

  /* --- training on the texts --- */

  const trainer = {
    section() {
      this.patterns = make("select", {}, ...Object.keys(bpelabPlay.patterns).map((name) => make("option", { value: name }, words[name] || name)));
      const steps = [["one", 1], ["ten", 10], ["all", Infinity]].map(([key, count]) => make("button", { type: "button", onclick: () => this.step(count) }, words[key]));
      this.steps = steps;
      this.says = make("output", { "aria-live": "polite" });
      this.table = make("table", { "aria-label": words.steps });
      return make("section", { "aria-label": words.train, class: "training" }, make("h2", {}, words.train), make("p", { class: "quiet" }, words.hint),
        make("div", { class: "line" }, labelled(words.split, this.patterns), make("button", { type: "button", class: "start", onclick: () => this.begin(texts(), this.patterns.value) }, words.start), ...steps),
        this.says, this.table);
    },

    begin(from, pattern, steps = 0) {
      this.learner = new bpelabPlay.Trainer(from, bpelabPlay.patterns[pattern]);
      this.ended = false;
      this.patterns.value = pattern;
      state.training = { texts: from, pattern };
      views.forEach((view) => view.options());
      this.run(steps);
    },

    run(steps) {
      while (steps-- > 0 && !this.ended) this.ended = !this.learner.step();
      this.made = null;
      this.show();
    },

    step(count) {
      this.run(count);
      const shown = views.find((view) => view.name === TRAINED) || views[1];
      shown.choose(TRAINED);
    },

    vocabulary() { return (this.made ??= this.learner.vocabulary()); },

    show() {
      const learner = this.learner;
      this.steps.forEach((each) => { each.disabled = !learner || this.ended; });
      if (!learner) return;
      const done = learner.steps.length, said = done ? say("trainedSo", number(done), number(learner.before), number(learner.tokens)) : say("before", number(learner.before));
      const changed = state.training.texts.some((text, i) => text !== texts()[i]);
      this.says.textContent = [said, this.ended ? words.finished : "", changed ? words.differs : ""].join(" ").trim();
      const name = (id) => plain(Uint8Array.from(learner.spelled[id]));
      const rows = learner.steps.slice(-12).reverse().map(([left, right, count, tokens], i) => make("tr", {}, make("th", { scope: "row" }, number(done - i)),
        ...[name(left), name(right), name(LEAST + done - i - 1)].map((text) => make("td", {}, make("bdi", {}, text))), make("td", {}, number(count)), make("td", {}, number(tokens))));
      const head = ["step", "left", "right", "token", "count", "length"].map((key) => make("th", { scope: "col" }, words[key]));
      this.table.replaceChildren(...(done ? [make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)] : []));
    },
  };

  /* --- the link --- */

  const address = make("input", { readonly: true, "aria-label": words.link });
  const copied = make("output", { "aria-live": "polite" });

  function linkSection() {
    const copy = make("button", { type: "button", async onclick() {
      remember.now();
      try {
        await navigator.clipboard.writeText(address.value);
        copied.textContent = words.copied;
      } catch {
        address.select();
        copied.textContent = words.select;
      }
    } }, words.copy);
    return make("section", { "aria-label": words.link }, make("h2", {}, words.link), make("div", { class: "line link" }, address, copy, copied));
  }

  function written() {
    const fields = new URLSearchParams(), [en, ja] = texts(), training = state.training;
    const set = (key, value) => fields.set(key, value);
    set("en", en);
    set("ja", ja);
    views.forEach((view, at) => {
      set("ab"[at], view.name);
      if (view.ready) set("ab"[at] + "n", view.count + LEAST);
      else if (view.wanted) set("ab"[at] + "n", view.wanted);
    });
    set("price", state.price);
    set("context", state.context);
    if (!state.ids) set("ids", 0);
    if (training) {
      set("t", training.pattern);
      set("tn", trainer.learner.steps.length);
      if (training.texts[0] !== en) set("ten", training.texts[0]);
      if (training.texts[1] !== ja) set("tja", training.texts[1]);
    }
    return "#" + fields;
  }

  let later = 0, restoring = true;
  function remember() {
    clearTimeout(later);
    if (!restoring) later = setTimeout(remember.now, 250);
  }
  remember.now = () => {
    clearTimeout(later);
    const state = written();
    address.value = location.href.split("#")[0] + state;
    try {
      history.replaceState(null, "", state);
    } catch { /* a frame without an origin, or a browser that lets it change so often a minute: the link still holds it */ }
    copied.textContent = "";
  };

  async function restore() {
    restoring = true;
    const fields = new URLSearchParams(location.hash.slice(1));
    const amount = (key, other) => (fields.has(key) && Number(fields.get(key)) >= 0 ? Number(fields.get(key)) : other);
    LANGUAGES.forEach((language, i) => { areas[language].value = fields.get(language) ?? bpelabPlay.examples[0][i]; });
    state.price = inputs.price.value = amount("price", 1);
    state.context = inputs.context.value = amount("context", 128000);
    state.ids = inputs.ids.checked = fields.get("ids") !== "0";
    state.training = trainer.learner = null;
    if (Object.hasOwn(bpelabPlay.patterns, fields.get("t"))) {
      const from = [fields.get("ten") ?? texts()[0], fields.get("tja") ?? texts()[1]];
      trainer.begin(from, fields.get("t"), Math.floor(amount("tn", 0)));
    }
    views.forEach((view) => view.options());
    root.classList.toggle("no-ids", !state.ids);
    trainer.table.replaceChildren();
    trainer.says.textContent = "";
    trainer.show();
    const known = (name) => (name === TRAINED && state.training) || Object.hasOwn(bpelabPlay.names, name);
    const defaults = [["own", undefined], ["gpt2", undefined]];
    await Promise.all(views.map((view, at) => {
      const name = fields.get("ab"[at]), size = amount("ab"[at] + "n", undefined);
      if (known(name) || (at && name === "")) return view.choose(name, size);
      return view.choose(known(defaults[at][0]) ? defaults[at][0] : at ? "" : "own", defaults[at][1]);
    }));
    restoring = false;
    remember.now();
    root.dataset.ready = "yes";
  }

  const root = document.getElementById("bpelab-play");
  const views = [];
  views.push(new View(0), new View(1));
  root.replaceChildren(textsSection(), make("div", { class: "pair" }, ...views.map((view) => view.element)), trainer.section(), linkSection());
  addEventListener("hashchange", restore);
  restore();
})();
