import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect } from "../../cli/call.ts";
import { systemClock } from "../../core/clock.ts";
import { createApp } from "../../functions/api/app.ts";
import { bearerIn } from "../../functions/identity/bearer.ts";
import { localVerifier } from "../../local/gateway.ts";
import { openIssuer } from "../../local/issuer.ts";
import { loginApp } from "../../local/login/app.ts";
import { runBundled as run } from "../support/bundled-cli.ts";
import { testDeps } from "../support/deps.ts";
import { temporaryFolder } from "../support/home.ts";
import { recording } from "../support/terminal.ts";

/** Logging in, and the contexts in which that is kept; against the laptop's issuer. */

const issuerUrl = "http://127.0.0.1:1";
const slipwayUrl = "https://slipway.test";

async function openWorld() {
  const folder = temporaryFolder();
  const issuer = await openIssuer({ url: issuerUrl, file: join(folder, "issuer.json") });
  let now = systemClock.now();
  const clock = { ...systemClock, now: () => now };
  const login = loginApp(issuer, clock);
  const verify = localVerifier(issuer);
  const api = createApp(testDeps(), {
    profile: "slipway",
    issuers: [issuerUrl],
    principal: ({ req }) => {
      const token = bearerIn(req.header("Authorization"));
      return token === undefined || token === "expired" ? undefined : verify(token);
    },
  });
  const ask = async (url: string, init: RequestInit = {}) =>
    url.startsWith(issuerUrl) ? login.request(url, init) : api.request(url, init);
  let onPause = async (): Promise<void> => {};
  const pause = async (ms: number) => {
    now += ms;
    await onPause();
  };
  const files = { token: "t3\n", nothing: "\n" };
  const { around, written } = recording({ fetch: ask, now: clock.now, pause }, { files });
  const file = around.env.SLIPWAY_CONFIG ?? "";
  const slipway = async (line: string, env: Record<string, string> = {}) => {
    Object.assign(written, { out: "", err: "" });
    const exit = await run(line.split(" "), { ...around, env: { ...around.env, ...env } });
    return { exit, ...written };
  };
  /** Somebody opens the address that was printed, and says who they are. */
  const choose = async (user: string) => {
    const [address = ""] = /http:\S+/.exec(written.err) ?? [];
    const page = await (await ask(address)).text();
    const [, request = ""] = /name="request" value="([^"]+)"/.exec(page) ?? [];
    await ask(`${issuerUrl}/device`, {
      method: "POST",
      body: new URLSearchParams({ request, user }),
    });
  };
  return {
    slipway,
    around,
    choose,
    file,
    atPause: (work: () => Promise<void>) => (onPause = work),
  };
}

it("logs in once somebody has said who they are, and keeps that for its owner alone", async () => {
  const { slipway, choose, file, atPause } = await openWorld();
  let asked = 0;
  atPause(async () => {
    asked += 1;
    if (asked === 2) await choose("admin");
  });
  const { exit, out, err } = await slipway(`login --url ${slipwayUrl} --name prod`);
  expect({ exit, out }).toEqual({ exit: 0, out: "" });
  expect(err).toContain("logged in; the context in use is prod\n");
  expect(asked).toBe(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await slipway("whoami")).out).toMatch(
    /Slipway {2}https:\/\/slipway\.test\nas +the provider\nuser +admin/,
  );
  expect(await slipway("hub list")).toMatchObject({ exit: 0, err: "there are none\n" });
});

it("a token that has run out is renewed without a word", async () => {
  const { slipway, choose, file, atPause } = await openWorld();
  atPause(() => choose("admin"));
  await slipway(`login --url ${slipwayUrl} --name prod`);
  const stored = JSON.parse(readFileSync(file, "utf8"));
  stored.contexts.prod.token = "expired";
  writeFileSync(file, JSON.stringify(stored));
  expect(await slipway("hub list --as provider")).toMatchObject({ exit: 0 });
  expect(readFileSync(file, "utf8")).not.toContain('"expired"');
  writeFileSync(file, JSON.stringify(stored).replace(/"refresh":"[^"]*"/, refreshIn(file)));
  expect(await slipway("audit verify --tenant tenant-a")).toMatchObject({ exit: 0 });
  // The refresh token served once; another one was kept.
  expect(await slipway("hub list")).toMatchObject({ exit: 0 });
});

const refreshIn = (file: string): string =>
  /"refresh": "[^"]*"/.exec(readFileSync(file, "utf8"))?.[0] ?? "";

it("tokens that run out while a command runs are renewed each time, also where another command was first", async () => {
  const { slipway, around, choose, file, atPause } = await openWorld();
  atPause(() => choose("admin"));
  await slipway(`login --url ${slipwayUrl} --name prod`);
  const { client } = connect({ words: [], options: {}, around });
  const hubs = () => client.get("/api/private/v1/hubs");
  const storedToken = (token?: string): string => {
    const stored = JSON.parse(readFileSync(file, "utf8"));
    if (token !== undefined) stored.contexts.prod.token = token;
    writeFileSync(file, JSON.stringify(stored));
    return stored.contexts.prod.token;
  };
  for (let hour = 0; hour < 3; hour++) {
    client.endpoint.token = storedToken("expired");
    expect((await hubs()).body).toMatchObject({ size: 0 });
  }
  client.endpoint.token = storedToken("expired");
  await slipway("hub list");
  const [{ refresh }, kept] = [
    JSON.parse(readFileSync(file, "utf8")).contexts.prod.login,
    storedToken(),
  ];
  expect((await hubs()).body).toMatchObject({ size: 0 });
  expect(client.endpoint.token).toBe(kept);
  expect(JSON.parse(readFileSync(file, "utf8")).contexts.prod.login.refresh).toBe(refresh);
});

it("a tenant logs in as a tenant, and logging out forgets", async () => {
  const { slipway, choose, file, atPause } = await openWorld();
  atPause(() => choose("tenant-a-user"));
  expect(await slipway(`login --url ${slipwayUrl}`)).toMatchObject({ exit: 0 });
  expect((await slipway("whoami")).out).toContain("as       a tenant");
  const stored = readFileSync(file, "utf8");
  expect(await slipway("logout")).toMatchObject({ exit: 0 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ contexts: {} });
  expect(await slipway("cluster list")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("no Slipway server is configured"),
  });
  // Whoever has a copy of the file is logged out with its token, for which the issuer gives no other.
  writeFileSync(file, stored.replace(/"token": "[^"]*"/, '"token": "expired"'));
  expect(await slipway("cluster list")).toMatchObject({ exit: 6 });
});

it("contexts are set by a token from a file, used by name, and never send a token elsewhere", async () => {
  const { slipway } = await openWorld();
  expect(await slipway("context set a --url http://a.test")).toMatchObject({ exit: 2 });
  expect(await slipway("context set a --url http://a.test/ --token-file token")).toMatchObject({
    exit: 0,
  });
  expect(await slipway("cluster list --url http://a.test --token-file nothing")).toMatchObject({
    exit: 2,
    err: "--token-file nothing: there is no token in it\n",
  });
  expect((await slipway("context list")).out).toBe(
    "NAME  URL            IN USE\na     http://a.test  yes\n",
  );
  expect(await slipway("context remove a")).toMatchObject({ exit: 0 });
  expect(await slipway("context list")).toMatchObject({ exit: 0, out: "" });
  const dev = temporaryFolder();
  writeFileSync(
    join(dev, "dev.json"),
    JSON.stringify({ api: slipwayUrl, tokens: { admin: "t1", "tenant-a": "t2" } }),
  );
  const env = { SLIPWAY_DATA: dev };
  const { out } = await slipway("context list", env);
  expect(out.split("\n").slice(1, 4)).toEqual([
    "laptop           https://slipway.test  yes",
    "laptop:admin     https://slipway.test",
    "laptop:tenant-a  https://slipway.test",
  ]);
  expect(await slipway("context use laptop:tenant-a", env)).toMatchObject({ exit: 0 });
  expect((await slipway("context list", env)).out).toMatch(/laptop:tenant-a .*yes\n/);
  expect(await slipway("context use nix", env)).toMatchObject({
    exit: 2,
    err: expect.stringContaining("laptop:admin"),
  });
  const elsewhere = await slipway("cluster list --url http://other.test", env);
  expect(elsewhere).toMatchObject({
    exit: 6,
    err: expect.stringContaining("no token for this Slipway"),
  });
});
