/** A small shopping cart for the browser. */

import React, { useState, memo } from "react";
import { formatPrice } from "./format.js";

const TAX = 0.2;

/** Adds what a price costs with tax. */
export function withTax(price) {
  return price * (1 + TAX);
}

export class Cart {
  #items = new Map();
  static shared = new Cart();

  /** Called for each change; bound to the cart. */
  notify = (event) => {
    for (const listener of this.listeners) listener(event);
  };

  constructor(listeners = []) {
    this.listeners = listeners;
  }

  get total() {
    return [...this.#items.values()].reduce((sum, { price, count }) => sum + price * count, 0);
  }

  async *pages(size) {
    const all = [...this.#items];
    while (all.length > 0) yield all.splice(0, size);
  }
}

Cart.prototype.isEmpty = function () {
  return this.total === 0;
};

const storage = {
  load() {
    return JSON.parse(localStorage.getItem("cart") ?? "[]");
  },
  save: (items) => localStorage.setItem("cart", JSON.stringify(items)),
};

export const CartRow = memo(({ item, onRemove }) => {
  const [isOpen, setOpen] = useState(false);
  const toggle = () => setOpen(!isOpen);
  return (
    <li className="row" onClick={toggle}>
      {item.name} <b>{formatPrice(withTax(item.price))}</b>
      {isOpen && <button onClick={() => onRemove(item)}>remove</button>}
    </li>
  );
});

module.exports.createCart = function createCart() {
  return new Cart([storage.save]);
};
