/* Byte-pair encoding for the play page: vocabularies, encoding at every size at once, training.

   The idea that makes the slider fast: merges are applied in the order of their ranks, and a merge
   only ever uses tokens of lower rank. So encoding with the first n merges is the beginning of
   encoding with all of them, and one number a byte holds every size: the level of the border before
   that byte, which is the rank of the merge that removes it. At n merges the borders of level >= n stay.

   Llama 3 has tokens of low rank that only merges of higher rank bring about. Such a late merge has the
   level of what it waits for and a little more, since it comes after; its rank stands beside it. */
"use strict";

var bpelabPlay = (() => {
  const NEVER = 0x7fffffff; // level of a border that no merge removes
  const LATE = 2 ** -16;
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  const page = { names: {}, patterns: {}, classes: {}, NEVER };
  const waiting = {}, loaded = {};

  /* --- vocabularies --- */

  /* What list.js says: the names and labels, the classes of characters, the patterns to train with. */
  page.begin = (names, classes, patterns) => {
    Object.assign(page, { names, patterns });
    for (const [name, text] of Object.entries(classes)) page.classes[name] = ranges(text);
  };

  /* "2p.2 k" as the inside of a character class: a to c, and x. */
  function ranges(text) {
    let end = 0, written = "";
    for (const range of text.split(" ")) {
      const [gap, more] = range.split(".").map((digits) => parseInt(digits, 36));
      const first = end + gap, last = first + (more || 0);
      written += `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`;
      end = last + 1;
    }
    return written;
  }

  /* A pattern with our classes of characters instead of the browser's. */
  const compiled = (pattern) =>
    new RegExp(pattern.replace(/\\s|\\p\{\w+\}/g, (name) => page.classes[name]), "gu");

  function script(name) {
    return new Promise((done, failed) => {
      const element = document.createElement("script");
      element.src = `${folder}vocabularies/${name}.js`;
      element.onload = done;
      element.onerror = () => failed(new Error(name));
      document.head.append(element);
    });
  }

  const unpack = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  /* A vocabulary's script calls this when it is loaded. */
  page.add = (name, about, data) => {
    const inflated = new Blob([unpack(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
    new Response(inflated).arrayBuffer().then((buffer) => {
      const planes = new Uint8Array(buffer), size = planes.length / 3;
      const id = (i) => planes[i] | (planes[size + i] << 8) | (planes[2 * size + i] << 16);
      const lefts = Int32Array.from({ length: size / 2 }, (_, i) => id(i));
      const rights = Int32Array.from({ length: size / 2 }, (_, i) => id(size / 2 + i));
      waiting[name](new Vocabulary(compiled(about.pattern), unpack(about.bytes), lefts, rights, about.whole));
    });
  };

  /* The promise of a vocabulary by its name; its script is fetched once. */
  page.vocabulary = (name) => {
    loaded[name] ??= new Promise((done, failed) => {
      waiting[name] = done;
      script(name).catch((error) => { delete loaded[name]; failed(error); });
    });
    return loaded[name];
  };

  class Vocabulary {
    /* pattern: RegExp of chunks; order: the bytes in the order of their ids; lefts, rights: the ids each merge
       joins; whole: text -> rank of the tokens that no merge makes, which stand where a chunk is one of them */
    constructor(pattern, order, lefts, rights, whole = {}) {
      Object.assign(this, { pattern, order, lefts, rights, merges: lefts.length, size: 256 + lefts.length });
      this.whole = new Map(Object.entries(whole));
      this.idOfByte = new Int32Array(256);
      order.forEach((byte, id) => { this.idOfByte[byte] = id; });
      this.ranks = new Ranks(lefts, rights);
      this.remembered = new Map();
    }

    chunks(text) {
      return text.match(this.pattern) || [];
    }

    /* A text at every size: its bytes, and for each the level of the border before it. */
    read(text) {
      text = wellFormed(text);
      const bytes = new TextEncoder().encode(text), borders = new Float64Array(bytes.length);
      const late = new Map(); // where a border's level is not its rank: byte -> rank
      let at = 0;
      for (const chunk of this.chunks(text)) {
        const found = this.borders(chunk);
        borders.set(found.levels, at);
        for (const [i, rank] of found.late) late.set(at + i, rank);
        at += found.levels.length;
      }
      return { text, bytes, borders, late, characters: [...text].length };
    }

    borders(chunk) {
      let found = this.remembered.get(chunk);
      if (!found) {
        if (this.remembered.size > 50000) this.remembered.clear();
        found = this.merged(Int32Array.from(new TextEncoder().encode(chunk), (byte) => this.idOfByte[byte]));
        const whole = this.whole.get(chunk);
        if (whole !== undefined) found.levels = found.levels.map((level, i) => (i ? Math.min(level, whole) : level));
        this.remembered.set(chunk, found);
      }
      return found;
    }

    /* All merges of one chunk (ids), lowest rank first and leftmost first among equals. */
    merged(ids) {
      const size = ids.length, queue = new Queue(), late = [];
      const levels = new Float64Array(size).fill(NEVER), made = new Float64Array(size).fill(-1);
      const next = Int32Array.from(ids, (_, i) => i + 1), before = Int32Array.from(ids, (_, i) => i - 1);
      const rank = new Int32Array(size).fill(NEVER); // of the pair that starts here, NEVER where none does
      const look = (i) => {
        rank[i] = next[i] < size ? this.ranks.of(ids[i], ids[next[i]]) : NEVER;
        if (rank[i] !== NEVER) queue.push(rank[i] * 0x4000000 + i);
      };
      for (let i = 0; i < size; i++) look(i);
      while (queue.size) {
        const key = queue.pop(), i = key % 0x4000000;
        if (rank[i] !== (key - i) / 0x4000000) continue; // this pair is gone
        const right = next[i], waited = Math.max(made[i], made[right]);
        if (waited > rank[i]) late.push([right, rank[i]]);
        made[i] = levels[right] = waited > rank[i] ? waited + LATE : rank[i];
        ids[i] = 256 + rank[i];
        next[i] = next[right];
        rank[right] = NEVER;
        if (next[i] < size) before[next[i]] = i;
        look(i);
        if (before[i] >= 0) look(before[i]);
      }
      return { levels, late };
    }

    /* The tokens of a read text at `merges` merges: [start, end, id], positions in bytes. The last merge inside
       a token has the highest level there, and made it. Stops at `most` tokens. */
    tokens(reading, merges, most = Infinity) {
      const { bytes, borders, late } = reading, found = [];
      for (let start = 0; start < bytes.length && found.length < most; ) {
        let end = start + 1, level = -1, last = 0;
        for (; end < bytes.length && borders[end] < merges; end++)
          if (borders[end] > level) level = borders[(last = end)];
        const rank = level === Math.floor(level) ? level : late.get(last);
        found.push([start, end, rank < 0 ? this.idOfByte[bytes[start]] : 256 + rank]);
        start = end;
      }
      return found;
    }

    /* The two ids that were merged to this one; null for a byte, and for a token that no merge makes. */
    parts(id) {
      const rank = id - 256;
      return rank < 0 || this.lefts[rank] === id ? null : [this.lefts[rank], this.rights[rank]];
    }

    /* The bytes of a token. */
    spelled(id) {
      const parts = this.parts(id);
      if (parts) return Uint8Array.from(parts.flatMap((part) => [...this.spelled(part)]));
      if (id < 256) return this.order.subarray(id, id + 1);
      return new TextEncoder().encode([...this.whole].find(([, rank]) => rank === id - 256)[0]);
    }

    ids(text, merges = this.merges) {
      return this.tokens(this.read(text), merges).map((token) => token[2]);
    }

    /* The number of tokens at 0, 1, ... all merges. */
    curve(reading) {
      const counts = new Int32Array(this.merges + 1);
      for (const level of reading.borders) if (level !== NEVER) counts[Math.floor(level) + 1]--;
      counts[0] = reading.bytes.length;
      for (let n = 1; n < counts.length; n++) counts[n] += counts[n - 1];
      return counts;
    }
  }

  /* Lone surrogates are no characters and have no bytes. */
  const wellFormed = (text) =>
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

  /* (left id, right id) -> rank of the merge: a hash table with open addressing. */
  class Ranks {
    constructor(lefts, rights) {
      this.mask = 1;
      while (this.mask < 2 * lefts.length) this.mask = 2 * this.mask + 1;
      this.slots = new Int32Array(this.mask + 1).fill(-1);
      Object.assign(this, { lefts, rights });
      for (let rank = 0; rank < lefts.length; rank++) {
        if (lefts[rank] !== 256 + rank) this.slots[this.slot(lefts[rank], rights[rank])] = rank;
      }
    }

    slot(left, right) {
      let slot = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
      slot = (slot ^ (slot >>> 15)) & this.mask;
      for (let rank; (rank = this.slots[slot]) >= 0; slot = (slot + 1) & this.mask)
        if (this.lefts[rank] === left && this.rights[rank] === right) break;
      return slot;
    }

    of(left, right) {
      const rank = this.slots[this.slot(left, right)];
      return rank < 0 ? NEVER : rank;
    }
  }

  /* Numbers, the smallest out first: a binary heap. */
  class Queue {
    constructor() { this.heap = []; }

    get size() { return this.heap.length; }

    push(key) {
      const heap = this.heap;
      let at = heap.length;
      for (let up; at && heap[(up = (at - 1) >> 1)] > key; at = up) heap[at] = heap[up];
      heap[at] = key;
    }

    pop() {
      const heap = this.heap, first = heap[0], key = heap.pop();
      if (!heap.length) return first;
      let at = 0;
      for (let down; (down = 2 * at + 1) < heap.length; at = down) {
        if (down + 1 < heap.length && heap[down + 1] < heap[down]) down++;
        if (heap[down] >= key) break;
        heap[at] = heap[down];
      }
      heap[at] = key;
      return first;
    }
  }

  /* --- training --- */

  /* Learns merges from texts one by one: the most frequent pair, among equals the one with the smallest bytes on
     its left, then on its right; none that occurs once. As bpelab.train(texts, base="byte", chunking=...,
     min_frequency=2). */
  class Trainer {
    constructor(texts, pattern) {
      this.pattern = compiled(pattern);
      const weights = new Map();
      for (const text of texts)
        for (const chunk of wellFormed(text).match(this.pattern) || [])
          weights.set(chunk, (weights.get(chunk) || 0) + 1);
      this.words = [...weights].map(([chunk, weight]) => ({ ids: [...new TextEncoder().encode(chunk)], weight }));
      this.spelled = Array.from({ length: 256 }, (_, byte) => [byte]);
      this.steps = []; // [left id, right id, count, tokens afterwards]
      this.counts = new Map();
      this.places = new Map(); // pair -> the words it was seen in
      this.tokens = 0;
      for (const word of this.words) {
        this.count(word, 1);
        this.tokens += word.ids.length * word.weight;
      }
      this.before = this.tokens;
    }

    count(word, sign) {
      for (let i = 1; i < word.ids.length; i++) {
        const pair = word.ids[i - 1] * 0x100000 + word.ids[i];
        this.counts.set(pair, (this.counts.get(pair) || 0) + sign * word.weight);
        if (!this.places.has(pair)) this.places.set(pair, new Set());
        this.places.get(pair).add(word);
      }
    }

    /* One merge; false where no pair occurs twice. */
    step() {
      let best = -1, most = 1;
      for (const [pair, count] of this.counts)
        if (count > most || (count === most && best >= 0 && this.precedes(pair, best))) [best, most] = [pair, count];
      if (best < 0) return false;
      const right = best % 0x100000, left = (best - right) / 0x100000, id = this.spelled.length;
      this.spelled.push([...this.spelled[left], ...this.spelled[right]]);
      for (const word of this.places.get(best)) {
        this.count(word, -1);
        const ids = [];
        for (let i = 0; i < word.ids.length; i++) {
          const joins = word.ids[i] === left && word.ids[i + 1] === right;
          ids.push(joins ? id : word.ids[i]);
          i += joins;
        }
        this.tokens -= (word.ids.length - ids.length) * word.weight;
        word.ids = ids;
        this.count(word, 1);
      }
      this.counts.delete(best);
      this.places.delete(best);
      this.steps.push([left, right, most, this.tokens]);
      return true;
    }

    precedes(a, b) {
      const rights = [a % 0x100000, b % 0x100000];
      const lefts = [(a - rights[0]) / 0x100000, (b - rights[1]) / 0x100000];
      return (compare(...lefts.map((id) => this.spelled[id])) || compare(...rights.map((id) => this.spelled[id]))) < 0;
    }

    vocabulary() {
      const side = (at) => Int32Array.from(this.steps, (step) => step[at]);
      return new Vocabulary(this.pattern, Uint8Array.from({ length: 256 }, (_, byte) => byte), side(0), side(1));
    }
  }

  function compare(a, b) {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  }

  return Object.assign(page, { folder, script, Trainer });
})();
