import { parse } from "yaml";
import * as z from "zod";
import { commandsOf } from "./shell.ts";

/** A small cloud-init: reads a NoCloud seed, and reports starts as configured. */

/** The files of a seed by name; the network configuration is optional. */
export type Seed = Record<"meta-data" | "user-data" | "vendor-data", string> & {
  "network-config"?: string;
};

const metaSchema = z.object({ "instance-id": z.string(), "local-hostname": z.string().optional() });
const configSchema = z.object({
  phone_home: z.object({ url: z.string(), post: z.unknown() }).optional(),
});

/** A report at a start of the system. */
export interface Call {
  url: string;
  type: string;
  body: string;
}

/** The seed URL in a kernel's arguments: members of NoCloud's argument end with `;`, and the last of a name applies. */
export function seedUrlIn(args: readonly string[]): string | undefined {
  const [, ...members] = args.find((arg) => arg.startsWith("ds=nocloud;"))?.split(";") ?? [];
  return members.findLast((member) => member.startsWith("s="))?.slice("s=".length);
}

export const instanceIn = (seed: Seed): string => metaOf(seed)["instance-id"];

/** Parses YAML 1.1 like PyYAML in cloud-init: `no` is false, and a date is no text. */
export const readConfig = (text: string): unknown => parse(text, { version: "1.1" });

const metaOf = (seed: Seed) => metaSchema.parse(readConfig(seed["meta-data"]));

/** The reports of a system at its start; `isFirst`: its first start with this seed. */
export function callsOf(seed: Seed, isFirst: boolean): Call[] {
  const parts = [...partsOf(seed["vendor-data"]), ...partsOf(seed["user-data"])];
  const configs = parts.filter(({ type }) => type === "text/cloud-config");
  // A member of the user's data replaces the whole member of the vendor's data.
  const config = configSchema.parse(
    Object.assign({}, ...configs.map(({ text }) => readConfig(text))),
  );
  const scripts = parts.filter(({ type }) => type === "text/x-shellscript-per-boot");
  return [
    ...(isFirst && config.phone_home ? [formOf(seed, rendered(config.phone_home.url))] : []),
    ...scripts.flatMap(({ text }) => curlsIn(text)),
  ];
}

function formOf(seed: Seed, url: string): Call {
  const meta = metaOf(seed);
  const hostname = meta["local-hostname"] ?? "localhost";
  const key = (type: string) => `${type} AAAA${meta["instance-id"]} root@${hostname}`;
  const form = new URLSearchParams({
    pub_key_rsa: key("ssh-rsa"),
    pub_key_ecdsa: key("ecdsa-sha2-nistp256"),
    pub_key_ed25519: key("ssh-ed25519"),
    instance_id: meta["instance-id"],
    hostname,
    fqdn: hostname,
  });
  return { url, type: "application/x-www-form-urlencoded", body: form.toString() };
}

/** The module's URL is a template with one variable, the id of the instance. */
const rendered = (url: string): string => {
  const name = /\$(?:\{([\w.]+)\}|([\w.]+))/.exec(url);
  if (name) throw new Error(`phone_home: KeyError: '${name[1] ?? name[2]}'`);
  return url;
};

/** The calls of a script; only its curl commands have an effect. */
const curlsIn = (script: string): Call[] =>
  commandsOf(script)
    .filter(([command]) => command === "curl")
    .map(([, ...words]) => curled(words));

const flags = new Set(["-fsS", "--globoff", "--retry-all-errors"]);
const options = new Set(["-H", "-d", "--url", "--retry", "--retry-delay"]);

function curled(words: string[]): Call {
  const call: Call = { url: "", type: "application/x-www-form-urlencoded", body: "" };
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? "";
    if (flags.has(word)) continue;
    if (word.startsWith("-") && !options.has(word))
      throw new Error(`curl: option ${word}: is unknown`);
    const value = options.has(word) ? (words[++n] ?? "") : word;
    if (word === "-H") call.type = /^Content-Type: (.*)$/i.exec(value)?.[1] ?? call.type;
    else if (word === "-d") call.body = value;
    else if (word === "--url" || value === word) call.url = value;
  }
  return call;
}

/** The parts of a MIME message, or the text as its only part. */
function partsOf(text: string): { type: string; text: string }[] {
  const boundary = /^Content-Type: multipart\/mixed; boundary="([^"]+)"/i.exec(text)?.[1];
  if (boundary === undefined)
    return text.startsWith("#cloud-config") ? [{ type: "text/cloud-config", text }] : [];
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = "", ...body] = part.trimStart().split("\n\n");
      return { type: /^Content-Type: ([^;\s]+)/i.exec(head)?.[1] ?? "", text: body.join("\n\n") };
    });
}
