import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { apiCommands, commandOf } from "../../cli/api/commands.ts";
import { declaredActions } from "../../cli/api/declared.ts";
import { operations } from "../../cli/api/operations.ts";
import type { Screen } from "../../cli/around.ts";
import { exits } from "../../cli/exit.ts";
import { heightOf } from "../../cli/output/table.ts";
import { everyCommand, programOf } from "../../cli/program.ts";
import { controlApi } from "../../sim/control.ts";
import { runBundled as run } from "../support/bundled-cli.ts";
import { addServerWithDpus } from "../support/dpus.ts";
import { exampleAt } from "../support/fuzz/document.ts";
import { temporaryFolder } from "../support/home.ts";
import { serveHub, TestHub } from "../support/hub-api.ts";
import { siteWithServers } from "../support/instances.ts";
import { addServer } from "../support/managed-hosts.ts";
import { sshKey } from "../support/orders.ts";
import { signingRequest } from "../support/signing-request.ts";
import { openSite, type Site } from "../support/site.ts";
import { recording, tokens } from "../support/terminal.ts";
import { type Line, story } from "./printed/story.ts";

/**
 * What every command but the actions of kinds prints, which print as one another do, and how it ends: into a pipe, and on a narrow and a wide terminal. `vitest run -u` writes
 * it anew. The terminals are given the answers that the pipe was given, so that all three see one world.
 */

const actions = new Set(
  operations()
    .filter(({ id }) => declaredActions.has(id.replace(/^\w+\./, "")))
    .map(commandOf),
);

const commands = everyCommand(programOf(async () => {})).flatMap((command) => {
  const isOne = command.commands.length === 0;
  return isOne
    ? [[command.parent?.name(), command.name()].filter((each) => each !== "slipway")]
    : [];
});

/** The names of groups by every word that calls them. */
const groups = new Map(
  programOf(async () => {}).commands.flatMap((each) =>
    [each.name(), ...each.aliases()].map((name) => [name, each.name()] as const),
  ),
);

/** The commands that none of these lines call. */
function notIn(lines: Iterable<string>): string[] {
  const called = [...lines].map((line) => {
    const [first = "", second = ""] = line.split(" ");
    return [groups.get(first) ?? first, second];
  });
  return commands
    .filter((command) => !called.some((line) => command.every((word, n) => line[n] === word)))
    .map((each) => each.join(" "))
    .filter((each) => !actions.has(each));
}

it("every command is in the story", { tags: "smoke" }, () => {
  expect(commands.length).toBeGreaterThan(200);
  const lines = Object.values(story).flat();
  expect(notIn(lines.map(([line]) => line))).toEqual([]);
});

it("every example of the help is in the story", { tags: "smoke" }, () => {
  const told = Object.values(story)
    .flat()
    .map(([line]) => line.replaceAll("'", ""));
  const shown = everyCommand(programOf(async () => {})).flatMap((command) => [
    ...command.options.map(({ long, description }) => ({ before: `${long} `, description })),
    ...command.registeredArguments.map(({ description }) => ({ before: "", description })),
    { before: "", description: command.description() },
  ]);
  const examples = shown.flatMap(({ before, description }) =>
    examplesIn(description).map((example) => before + example),
  );
  expect(new Set(examples).size).toBeGreaterThan(20);
  // In whole words: `such as 2` is not told by a line that has 20.
  const isTold = (example: string) => told.some((line) => ` ${line} `.includes(` ${example} `));
  expect([...new Set(examples)].filter((each) => !isTold(each))).toEqual([]);
});

/** What a description says that something is such as: `such as 2h, or 2026-11-26T03:00:00Z`. */
function examplesIn(description: string): string[] {
  const [, examples = ""] = /such as:? (.*?)(?:;.*|\.)?$/.exec(description) ?? [];
  return examples
    .split(", or ")
    .filter((each) => each !== "")
    .map((each) => each.replaceAll("`", "").replace(/^source <\(slipway (.*)\)$/, "$1"));
}

it("each prints what it did", async () => {
  const webhooks = {
    refusal: async () => undefined,
    post: async () => ({ status: 204, text: "" }),
  };
  const site = await openSite({ webhooks });
  await siteWithServers(site, 1);
  await addServerWithDpus(site, 2, { dpus: 1, missing: 1 });
  await addServerWithDpus(site, 3, { dpus: 1 });
  // Two servers may be ordered at once, and one is free.
  await site.admin("POST", `hosts/${await addServer(site, 4)}/maintain`);
  const hub = new TestHub();
  const { kubeconfig, close } = await serveHub(hub.fetch);
  onTestFinished(close);
  const { tell, done } = teller(site, {
    "hub-x.kubeconfig": kubeconfig,
    "alice.csr": await signingRequest("alice"),
  });
  for (const [chapter, lines] of Object.entries(story))
    await expect(await tell(lines)).toMatchFileSnapshot(`printed/${chapter}.txt`);
  expect(notIn(done), "never seen to do what it is for").toEqual([]);
});

/** Types lines on each of the screens: `tell` answers what they say, `done` has the lines that ended well. */
function teller(
  site: Site,
  more: Record<string, string>,
): { tell: (lines: readonly Line[]) => Promise<string>; done: ReadonlySet<string> } {
  const answers = new Answers(site);
  const files = { ...filesOf(), ...more };
  const screens = [
    { name: "a pipe", isTerminal: false, columns: 100 },
    { name: "60 columns", isTerminal: true, columns: 60 },
    { name: "200 columns", isTerminal: true, columns: 200 },
  ].map(({ name, ...size }, n) => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "dev.json"),
      JSON.stringify({ api: "https://slipway", sim: "https://sim", tokens: {} }),
    );
    const outside = {
      fetch: (url: string, init: RequestInit) => answers.fetch(url, init, n > 0),
      now: () => answers.now(n > 0),
      pause: (ms: number) => answers.pass(ms, n > 0),
    };
    return { name, folder, ...recording(outside, { ...size, files }) };
  });
  let operation = "";
  const done = new Set<string>();
  const tell = async (lines: readonly Line[]) => {
    const printed: string[] = [];
    for (const [line, as] of lines.filter(([each]) => each.trim() !== "")) {
      answers.begin();
      const said = new Map<string, string[]>();
      const asked = operation;
      for (const { name, folder, around, written, interrupt } of screens) {
        Object.assign(written, { out: "", err: "" });
        answers.rewind(/^event watch| --watch/.test(line) ? interrupt : undefined);
        const isSetUp = /^(context|login|logout) /.test(line);
        const endpoint = { SLIPWAY_URL: "https://slipway", SLIPWAY_TOKEN: tokens[as ?? "root"] };
        const env = { ...around.env, ...(isSetUp ? {} : endpoint), SLIPWAY_DATA: folder };
        const words = wordsOf(line.replaceAll("{operation}", asked).replaceAll("{folder}", folder));
        const exit = await run(words, { ...around, env });
        if (exit === exits.done) done.add(line);
        const all = left(written.out, around.out) + left(written.err, around.err);
        // Of what a page shows of all operations none is meant.
        const one = /^status\b/.test(line)
          ? null
          : /operation(?: watch)? ([0-9a-f-]{36})/.exec(all);
        operation = one?.[1] ?? operation;
        const text = `exit ${exit}\n${steady(all.replaceAll(folder, "{folder}"))}`;
        said.set(text, [...(said.get(text) ?? []), name]);
      }
      // What several screens show is written down once.
      for (const [text, names] of said)
        printed.push(`$ slipway ${line}   # ${[as ?? "root", ...names].join(", ")}\n${text}`);
    }
    return printed.join("\n");
  };
  return { tell, done };
}

const wordsOf = (line: string): string[] =>
  (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ""));

/** How much faster the world is than whoever waits for it, as a laptop's is: fewer looks see the same. */
const pace = 10;

/** What was answered while a line was typed first, for those who type it again. */
class Answers {
  readonly #site: Site;
  readonly #sim: (request: Request) => Response | Promise<Response>;
  #known = new Map<string, { status: number; headers: [string, string][]; text: string }[]>();
  #given = new Map<string, number>();
  #onSecond: (() => void) | undefined;
  #asked = 0;
  /** When the line was typed first, and how long its command has paused since it was typed again. */
  #start = 0;
  #paused = 0;

  constructor(site: Site) {
    this.#site = site;
    this.#sim = controlApi(site.world);
  }

  begin(): void {
    this.#known = new Map();
    this.#start = this.#site.laptop.clock.now();
  }

  /** `onSecond` is called with the second request. */
  rewind(onSecond?: () => void): void {
    this.#given = new Map();
    this.#onSecond = onSecond;
    this.#asked = 0;
    this.#paused = 0;
  }

  now(isAgain: boolean): number {
    return isAgain ? this.#start + this.#paused : this.#site.laptop.clock.now();
  }

  async pass(ms: number, isAgain: boolean): Promise<void> {
    if (isAgain) this.#paused += ms * pace;
    else await this.#site.laptop.pass(ms * pace);
  }

  async fetch(url: string, init: RequestInit, isAgain: boolean): Promise<Response> {
    this.#asked += 1;
    if (url.startsWith("http://nowhere")) throw new TypeError("fetch failed");
    if (this.#asked === 2 && this.#onSecond) {
      this.#onSecond();
      throw new TypeError("aborted");
    }
    const request = `${init.method} ${url}`;
    const known = this.#known.get(request) ?? [];
    this.#known.set(request, known);
    const n = this.#given.get(request) ?? 0;
    this.#given.set(request, n + 1);
    if (!isAgain) {
      const response = await this.#first(url, init);
      const { status, headers } = response;
      known.push({ status, headers: [...headers], text: await response.text() });
    }
    const answer = known[n];
    if (!answer) return Response.json({ title: `not asked before: ${request}` }, { status: 400 });
    return new Response(answer.text, answer);
  }

  async #first(url: string, init: RequestInit): Promise<Response> {
    if (url.startsWith("https://sim")) return this.#sim(new Request(url, init));
    // A watch waits in time that nobody passes here.
    if (url.includes("/events/watch"))
      return new Response('{"result":{"event":{"id":"e1","type":"EVENT_TYPE_OBJECT_CREATED"}}}\n');
    if (!url.startsWith("https://issuer")) {
      const answer = this.#site.fetch(url, init);
      // A hub signs a certificate in the world's time.
      if (init.method === "POST" && url.endsWith("/credentials")) await this.pass(5000, false);
      return answer;
    }
    return Response.json(issuer[new URL(url).pathname]);
  }
}

/** An issuer at which somebody has said yes. */
const issuer: Record<string, object> = {
  "/.well-known/openid-configuration": {
    device_authorization_endpoint: "https://issuer/device",
    token_endpoint: "https://issuer/token",
  },
  "/device": { device_code: "d", user_code: "ABCD-EFGH", verification_uri: "https://issuer/code" },
  "/token": { access_token: "t", refresh_token: "r" },
};

/** The document's own examples, and what is in files else. */
function filesOf(): Record<string, string> {
  const examples = apiCommands().flatMap(({ words: [kind, verb], ...areas }) => {
    const { path } = areas.private ?? areas.public ?? {};
    const example = path === undefined ? undefined : exampleAt(path);
    if (example === undefined || (verb !== "create" && verb !== "batch")) return [];
    return [[`${kind}${verb === "batch" ? "-batch" : ""}.json`, JSON.stringify(example)]];
  });
  return {
    ...Object.fromEntries(examples),
    "key.pub": `${sshKey("ann")}\n`,
    "hosts.yaml": readFileSync("docs/hosts.yaml", "utf8"),
    "two-servers.json": JSON.stringify({
      items: ["one", "two"].map((name) => ({
        metadata: { name },
        spec: {
          ...{ catalog_item: "rhel", ssh_public_key: sshKey("ann") },
          network_attachments: [{ subnet: "shop-web" }],
        },
      })),
    }),
    "site-2.yaml": "metadata: {name: site-2}\nspec: {}\n",
    token: "a-token\n",
  };
}

/** What is left on a screen where lines were taken back. */
function left(text: string, screen: Screen): string {
  const lines: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: how a terminal is told to take lines back
  for (const part of text.split(/(?=\u001b\[\d+A\u001b\[0J)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
    const [taking = "", rows = "0"] = /^\u001b\[(\d+)A\u001b\[0J/.exec(part) ?? [];
    for (let back = Number(rows); back > 0; ) back -= heightOf([lines.pop() ?? ""], screen);
    lines.push(...part.slice(taking.length).split("\n").slice(0, -1));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** As wide as what it stands for, so that columns stay where they are. */
const steady = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, (id) => "i".repeat(id.length))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => "t".repeat(time.length))
    // The names of clusters outside, which are drawn.
    .replaceAll(/\bslipway-([a-z0-9]{10})-\1\b/g, "slipway-nnnnnnnnnn-nnnnnnnnnn")
    // Which of the free hosts were taken, by ids that are drawn.
    .replaceAll(/(?<=\(host\s+|\/24: |\/24: \S+, )fc430-([ab])-\d\d/g, "fc430-$1-nn")
    // How many entries each chain of an audit has: an object's chain is drawn by its id.
    .replaceAll(/"position":\d+,"hash":"[^"]*"/g, '"position":n,"hash":"…"')
    // Where a webhook stands.
    .replaceAll(/\b\d{16}\.[\w-]{11}(?!\S)/g, "…")
    .replaceAll(/-----BEGIN .*?-----END [A-Z ]+-----/gs, "…")
    .replaceAll(/\b[0-9A-F]{32}\b/g, (serial) => "s".repeat(serial.length))
    // Keys, certificates and passwords.
    .replaceAll(/[\w+/=-]{40,}|(?:\w{5}-){3}\w{5}/g, "…")
    .replaceAll(/\b(?:\d+[dhm] )?\d+[dhms]\b/g, (time) => "t".repeat(time.length))
    // Pauses between attempts are drawn.
    .replaceAll(
      /\(\d+(\s+)attempts,(\s+)last(\s+).{1,12}?(\s+)ago\);(\s+)next(\s+)attempt(\s+)within(\s+)\d+(\s+)\w+/g,
      "(n$1attempts,$2last$3…$4ago);$5next$6attempt$7within$8…",
    )
    // How many looks a condition takes to settle, beside which keys are made in real time.
    .replaceAll(
      /^t+ +(?:updated|slipway\.cluster\.updated\.v1 +\w+ +-)\s+status\.conditions\n/gm,
      "",
    );
