import { inspect } from "node:util";
import * as z from "zod";
import { TenantApi } from "./api.ts";
import { say, sayBeside, styled } from "./screen.ts";
import { sayHeading, teller } from "./telling.ts";
import type { Dev } from "./world.ts";

/** A tenant's orders and removals, each printed as it happens. */
export class Tenant {
  readonly name: "tenant-a" | "tenant-b";
  readonly api: TenantApi;
  /** The names of what it has ordered, by id. */
  readonly #names = new Map<string, string>();

  constructor({ api, tokens }: Dev, name: Tenant["name"]) {
    this.name = name;
    this.api = new TenantApi(api, tokens[name]);
  }

  /** Orders an object, prints its progress until it is READY, and returns its id. */
  async order(collection: string, name: string, spec: object): Promise<string> {
    const { id, finish } = await this.begin(collection, name, spec);
    await finish();
    return id;
  }

  /** Orders an object; `finish` prints its progress. */
  async begin(collection: string, name: string, spec: object) {
    const body = { metadata: { name }, spec };
    const { id, operation } = await this.api.change("POST", collection, body);
    this.#names.set(id, name);
    const finish = () => this.#show(`POST /${collection}  ${worded({ name, ...spec })}`, operation);
    return { id, finish };
  }

  /** Changes an object, and prints what `told` says of the answer and of the end. */
  async change(path: string, spec: object, told: (object: unknown) => string): Promise<void> {
    const { operation, answer } = await this.api.change("PATCH", path, { spec });
    sayHeading(`${this.name}: PATCH ${this.#named(path)}  ${worded(spec)}`);
    say(`      ${told(answer)}`);
    await this.api.follow(operation, teller());
    say(`      ${told(await this.api.read(path, z.unknown()))}`);
  }

  async remove(path: string): Promise<void> {
    const finish = await this.beginRemoval(path);
    await finish();
  }

  /** Removes an object; the returned function prints the progress. */
  async beginRemoval(path: string): Promise<() => Promise<void>> {
    const { operation } = await this.api.change("DELETE", path);
    return () => this.#show(`DELETE ${this.#named(path)}`, operation);
  }

  /** Requests a removal that is refused, and prints why. */
  async tryRemoval(path: string): Promise<void> {
    const why = await this.api.refusal("DELETE", path);
    sayHeading(`${this.name}: DELETE ${this.#named(path)}`);
    sayBeside(`   ${styled("red", "✘")}  `, 6, why);
  }

  async #show(request: string, operation: string): Promise<void> {
    sayHeading(`${this.name}: ${request}`);
    if (operation === "") say("      done with the answer");
    else await this.api.follow(operation, teller());
  }

  #named(path: string): string {
    const [collection, id = ""] = path.split("/");
    return `/${collection}/{${this.#names.get(id)}'s id}`;
  }
}

/** A request's body in one line. */
const worded = (body: object): string =>
  inspect(body, { depth: null, breakLength: Number.POSITIVE_INFINITY })
    .replaceAll("'", "")
    .replace(/(?<=[{[]) | (?=[}\]])/g, "");
