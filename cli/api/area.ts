import { wrongCall } from "../exit.ts";
import type { ApiCommand } from "./commands.ts";
import type { ApiOperation, CommandArea } from "./operations.ts";

const areas: ReadonlyMap<string, CommandArea> = new Map([
  ["provider", "private"],
  ["tenant", "public"],
]);

/**
 * The API for a caller: the provider's or the tenants'. The token's roles are read without
 * verification, since they only choose the API, and the API itself checks every request.
 */
export function areaFor(as: string | undefined, token: string): CommandArea {
  if (as !== undefined) {
    const area = areas.get(as);
    if (!area) throw wrongCall(`--as must be ${[...areas.keys()].join(" or ")}`);
    return area;
  }
  return /"provider-(admin|viewer)"/.test(payloadOf(token)) ? "private" : "public";
}

/** The command's operation in this area, or its only operation. */
export function operationFor(command: ApiCommand, area: CommandArea): ApiOperation {
  const operation = command[area] ?? command.public ?? command.private;
  if (!operation) throw new Error(`no operation is ${command.words.join(" ")}`);
  return operation;
}

/** The claims in a token, as JSON; empty for a token of another form. */
export function payloadOf(token: string): string {
  return Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
}

/** The expiry in a token's claims, in milliseconds since 1970; undefined without one. */
export function expiryOf(token: string): number | undefined {
  const [, seconds] = /"exp":\s*(\d+)/.exec(payloadOf(token)) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
