import { expect, it, onTestFinished } from "vitest";
import { askAuthority } from "../../../core/ports/dns/powerdns/authority.ts";
import { answerTo, serveNames } from "../../../sim/dns/server.ts";

const addresses: Record<string, string[]> = {
  "A api.example.com": ["203.0.113.10", "203.0.113.11"],
  "AAAA api.example.com": ["2001:db8::1"],
};
const resolves = (name: string, type: string) => addresses[`${type} ${name}`] ?? [];

it("answers a resolver over the network, as the servers of a zone do", async () => {
  const server = await serveNames(resolves);
  onTestFinished(() => server.close());
  const ask = askAuthority([server.address]);
  expect((await ask("api.example.com", "A")).map((found) => found.toSorted())).toEqual([
    ["203.0.113.10", "203.0.113.11"],
  ]);
  expect(await ask("api.example.com", "AAAA")).toEqual([["2001:db8::1"]]);
  expect(await ask("nobody.example.com", "A")).toEqual([[]]);
});

it("takes the next port where somebody has the first", async () => {
  const first = await serveNames(resolves);
  onTestFinished(() => first.close());
  const second = await serveNames(resolves, first.port);
  onTestFinished(() => second.close());
  expect(second.port).toBeGreaterThan(first.port);
});

it.each([
  ["nothing", ""],
  ["half of a header", "00010100"],
  ["a name that does not end", "000101000001000000000000037777770361"],
  ["a pointer for a name", "000101000001000000000000c00c00010001"],
])("does not answer %s", (_, hex) => {
  expect(answerTo(Buffer.from(hex, "hex"), resolves)).toBeUndefined();
});
