import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Client } from "../../cli/client.ts";
import { chosenEndpoint } from "../../cli/contexts.ts";
import { exits } from "../../cli/exit.ts";
import { temporaryFolder } from "../support/home.ts";
import { recording } from "../support/terminal.ts";

/** What the client makes of connections that are lost, and of answers that are not Slipway's. */

/** An answer whose connection is lost in the middle. */
const cut = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"items": ['));
        controller.error(new TypeError("terminated"));
      },
    }),
    { headers: { "content-type": "application/json" } },
  );

function asked(...answers: (() => Response)[]) {
  const methods: string[] = [];
  const { around } = recording({
    async fetch(_, { method = "GET" }) {
      methods.push(method);
      return answers[methods.length - 1]?.() ?? Response.json({ id: "1" });
    },
    now: () => 0,
    pause: async () => {},
  });
  return { methods, client: new Client({ url: "https://slipway", token: "t" }, around) };
}

it.each(["GET", "PATCH", "DELETE"])("sends a %s again whose answer is cut off", async (method) => {
  const { client, methods } = asked(cut, cut);
  expect((await client.ask({ method, path: "/api/x" })).body).toEqual({ id: "1" });
  expect(methods).toEqual([method, method, method]);
});

it("sends a POST without a key once, and says that nothing is reached", async () => {
  const { client, methods } = asked(cut);
  await expect(client.ask({ method: "POST", path: "/api/x", body: {} })).rejects.toMatchObject({
    exit: exits.unreachable,
    message: "https://slipway is unreachable: terminated",
  });
  expect(methods).toEqual(["POST"]);
});

it("takes no web page for an answer of Slipway's", async () => {
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const { client } = asked(page);
  await expect(client.get("/api/fulfillment/v1/clusters")).rejects.toMatchObject({
    exit: exits.unreachable,
    message: "https://slipway answers with a web page, not like Slipway",
  });
});

const tokenUntil = (seconds: number): string =>
  `x.${Buffer.from(JSON.stringify({ exp: seconds })).toString("base64url")}.x`;

it.each([
  ["has ended", tokenUntil(99), "the token has expired, and could not be renewed; log in: "],
  ["is good for some time", tokenUntil(101), "log in: "],
  ["does not say when it ends", "t", "log in: "],
])("says what is wrong with a token that is refused and %s", async (_, token, says) => {
  const { around } = recording({
    fetch: async () => Response.json({ title: "Unauthenticated" }, { status: 401 }),
    now: () => 100_000,
    pause: async () => {},
  });
  const client = new Client({ url: "https://slipway", token }, around);
  const refused = await client.get("/api/x").catch((error: unknown) => error);
  expect(refused).toMatchObject({ exit: exits.loggedOut });
  expect((refused as { details: string[] }).details.join("; ")).toMatch(
    new RegExp(`^${says}slipway login`),
  );
});

it("says that npm run dev is not running where this laptop's Slipway is unreachable", async () => {
  const folder = temporaryFolder();
  const url = "http://127.0.0.1:4321";
  writeFileSync(`${folder}/dev.json`, JSON.stringify({ api: url, tokens: { admin: "t" } }));
  const { around } = recording(
    {
      fetch: () => Promise.reject(new TypeError("fetch failed")),
      now: () => 0,
      pause: async () => {},
    },
    { env: { SLIPWAY_DATA: folder } },
  );
  const lost = (at: string) => new Client({ url: at, token: "t" }, around).get("/api/x");
  await expect(lost(url)).rejects.toMatchObject({
    details: [
      "npm run dev is not running: start it, or name another Slipway: slipway context list",
    ],
  });
  await expect(lost("https://slipway")).rejects.toMatchObject({
    details: ["is it running, and is the address right? slipway context list"],
  });
});

it("says that npm run dev is not up yet where its folder is there and no Slipway in it", () => {
  const folder = temporaryFolder();
  const env = { SLIPWAY_CONFIG: `${folder}/contexts.json`, SLIPWAY_DATA: folder };
  const notUp = `npm run dev is not up yet in ${folder}: wait for its line 'slipway ready'`;
  const detailsOf = (url?: string, data = folder): string[] => {
    try {
      chosenEndpoint({ ...(url !== undefined && { url }) }, { ...env, SLIPWAY_DATA: data });
    } catch (error) {
      return (error as { details: string[] }).details;
    }
    throw new Error("a Slipway was found");
  };
  expect(detailsOf()[0]).toBe(notUp);
  // Half of the file is no Slipway either.
  writeFileSync(`${folder}/dev.json`, '{"api": "http://127');
  expect(detailsOf()[0]).toBe(notUp);
  // It is not awaited where there is none, and where another one is meant.
  expect(detailsOf(undefined, `${folder}/nowhere`)).toHaveLength(1);
  expect(detailsOf("https://slipway")).toHaveLength(1);
});
