// SHAKE-256 (FIPS 202). Browsers have no such digest of their own, and every deal follows from one.
(() => {
  "use strict";
  const viewer = window.tacora.viewer;
  const RATE = 136; // bytes taken in or given out between two permutations
  const ROUNDS = 24;

  // A lane of 64 bits is two numbers of 32, low half first: many times as fast as one BigInt.
  const constants = roundConstants();
  const turns = laneTurns();

  /** The bits that `iota` flips: those of a shift register, at the places 2^j − 1. */
  function roundConstants() {
    const made = [];
    let register = 1;
    for (let round = 0; round < ROUNDS; round += 1) {
      const halves = [0, 0];
      for (let j = 0; j < 7; j += 1) {
        if (register & 1) {
          const bit = 2 ** j - 1;
          halves[bit >> 5] |= 1 << (bit & 31);
        }
        register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
      }
      made.push(halves);
    }
    return made;
  }

  /** Where each lane goes in `pi`, in the order of that walk, and by how many bits `rho` turns it. */
  function laneTurns() {
    const made = [];
    let x = 1;
    let y = 0;
    for (let t = 0; t < 24; t += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      made.push([x + 5 * y, (((t + 1) * (t + 2)) / 2) % 64]);
    }
    return made;
  }

  function permute(lanes) {
    const column = new Int32Array(10);
    const row = new Int32Array(10);
    for (let round = 0; round < ROUNDS; round += 1) {
      theta(lanes, column);
      rhoAndPi(lanes);
      for (let start = 0; start < 50; start += 10) {
        row.set(lanes.subarray(start, start + 10));
        for (let i = 0; i < 10; i += 1) {
          lanes[start + i] = row[i] ^ (~row[(i + 2) % 10] & row[(i + 4) % 10]);
        }
      }
      lanes[0] ^= constants[round][0];
      lanes[1] ^= constants[round][1];
    }
  }

  function theta(lanes, column) {
    for (let i = 0; i < 10; i += 1) {
      column[i] = lanes[i] ^ lanes[i + 10] ^ lanes[i + 20] ^ lanes[i + 30] ^ lanes[i + 40];
    }
    for (let x = 0; x < 5; x += 1) {
      const low = column[(2 * x + 2) % 10];
      const high = column[(2 * x + 3) % 10];
      const before = (2 * x + 8) % 10;
      const mixedLow = column[before] ^ ((low << 1) | (high >>> 31));
      const mixedHigh = column[before + 1] ^ ((high << 1) | (low >>> 31));
      for (let y = 0; y < 50; y += 10) {
        lanes[2 * x + y] ^= mixedLow;
        lanes[2 * x + y + 1] ^= mixedHigh;
      }
    }
  }

  function rhoAndPi(lanes) {
    let low = lanes[2];
    let high = lanes[3];
    for (const [lane, bits] of turns) {
      const [nextLow, nextHigh] = [lanes[2 * lane], lanes[2 * lane + 1]];
      const [a, b] = bits < 32 ? [low, high] : [high, low];
      const n = bits % 32;
      lanes[2 * lane] = n ? (a << n) | (b >>> (32 - n)) : a;
      lanes[2 * lane + 1] = n ? (b << n) | (a >>> (32 - n)) : b;
      low = nextLow;
      high = nextHigh;
    }
  }

  /** The first `size` bytes of the digest of a text of ASCII characters. */
  viewer.shake = (text, size) => {
    const lanes = new Int32Array(50);
    const mix = (at, byte) => {
      lanes[at >> 2] ^= byte << (8 * (at & 3));
    };
    for (let i = 0; i < text.length; i += 1) {
      mix(i % RATE, text.charCodeAt(i));
      if (i % RATE === RATE - 1) {
        permute(lanes);
      }
    }
    mix(text.length % RATE, 0x1f);
    mix(RATE - 1, 0x80);
    const digest = new Uint8Array(size);
    for (let i = 0; i < size; i += 1) {
      const at = i % RATE;
      if (at === 0) {
        permute(lanes);
      }
      digest[i] = lanes[at >> 2] >>> (8 * (at & 3));
    }
    return digest;
  };
})();
