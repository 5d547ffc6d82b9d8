import { EventEmitter } from "node:events";
import { z } from "zod";

export type UserId = string & { readonly brand: unique symbol };

/** What is kept of a person. */
export interface User {
  readonly id: UserId;
  name: string;
  greet(other: User): string;
}

export enum Role {
  Reader = "reader",
  Writer = "writer",
}

export const userShape = z.object({
  id: z.string(),
  name: z.string().min(1),
});

export const DEFAULTS = {
  retries: 3,
  delay: (attempt: number) => 100 * 2 ** attempt,
} as const;

namespace Legacy {
  export function toUser(row: readonly string[]): User {
    return { id: row[0] as UserId, name: row[1] ?? "", greet: () => "" };
  }
}

function injectable(target: unknown): void {
  void target;
}

/** Reads and writes users. */
@injectable
export abstract class UserService<T extends User = User> extends EventEmitter {
  private readonly cache = new Map<UserId, T>();

  constructor(private readonly url: URL) {
    super();
  }

  protected abstract fetchUser(id: UserId): Promise<T>;

  /** Asks the cache first. */
  async getUser(id: UserId): Promise<T> {
    const known = this.cache.get(id);
    if (known !== undefined) return known;
    const user = await this.fetchUser(id);
    this.cache.set(id, user);
    return user;
  }

  readonly onChange = (user: T): void => {
    this.emit("change", user);
  };
}

export function parse(text: string): User;
export function parse(text: string, strict: boolean): User;
export function parse(text: string, strict = false): User {
  const value: unknown = JSON.parse(text);
  return Legacy.toUser(strict ? Object.values(userShape.parse(value)) : (value as string[]));
}
