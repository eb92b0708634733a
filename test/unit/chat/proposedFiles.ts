// Files into which code of an answer is inserted.

import assert from "node:assert/strict";
import type { Proposed } from "../../../src/chat/host/code/proposedText.ts";

export const shop = `import { money } from "./money";
import { log } from "./log";

/** A basket. */
export class Basket {
  items = [];

  add(item) {
    this.items.push(item);
    log("added", item);
  }

  total() {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price;
    }
    return sum;
  }

  clear() {
    this.items = [];
  }
}

export class Order {
  constructor(basket) {
    this.basket = basket;
  }

  send() {
    return fetch("/orders", { method: "POST" });
  }
}

export function format(value) {
  return money(value);
}
`;
export const total = shop.slice(shop.indexOf("  total() {"), shop.indexOf("  clear() {") - 2);
export const newTotal = "  total() {\n    return this.items.reduce((sum, { price }) => sum + price, 0);\n  }";
export const dedented = newTotal.replace(/^ {2}/gm, "");
export const shopWith = (old: string, fresh: string) => {
  assert.equal(shop.split(old).length, 2, old);
  return shop.replace(old, () => fresh);
};

export const script = `"""Reads readings."""
import csv


def read(path):
    with open(path) as file:
        return list(csv.reader(file))


@cached
def mean(rows):
    # Adds all
    total = 0
    for row in rows:
        total += float(row[1])

    return total / len(rows)


if __name__ == "__main__":
    print(mean(read("a.csv")))
`;
export const styles = `.card {
  color: red;
  padding: 4px;
}

.card:hover {
  color: blue;
}

@media print {
  .card {
    display: none;
  }
}
`;
export const manifest = `{
  "name": "shop",
  "scripts": {
    "build": "tsc",
    "test": "node --test"
  },
  "dependencies": {
    "money": "1.0.0"
  }
}
`;
export const tests = `describe("basket", () => {
  it("adds", () => {
    check(add(1));
  });

  it("clears", () => {
    check(clear());
  });
});
`;
export const server = `package main

func main() {
	start(8080)
}

func start(port int) {
	listen(port)
}
`;
export const allman = `void first()
{
    one();
}

void second()
{
    two();
}
`;
export const twins = `function a() {
  return 1;
}
function a() {
  return 1;
}
`;

/** The file with the proposed change; null without one. */
export const textOf = (file: string, proposed: Proposed) =>
  proposed.kind === "text" ? proposed.text : proposed.kind === "same" ? file : null;
