import { parse } from "yaml";
import * as z from "zod";

/** A small cloud-init: it reads a NoCloud seed, and reports starts as it is told to. */

/** The files of a seed, by name; the network's may be missing. */
export type Seed = Record<"meta-data" | "user-data" | "vendor-data", string> & {
  "network-config"?: string;
};

const metaSchema = z.object({ "instance-id": z.string(), "local-hostname": z.string().optional() });
const configSchema = z.object({
  phone_home: z.object({ url: z.string(), post: z.unknown() }).optional(),
});

/** A report that a start makes. */
export interface Call {
  url: string;
  type: string;
  body: string;
}

export const instanceIn = (seed: Seed): string => metaOf(seed)["instance-id"];

/** As PyYAML does, which cloud-init uses: `no` is false, and a date is no text. */
export const readConfig = (text: string): unknown => parse(text, { version: "1.1" });

const metaOf = (seed: Seed) => metaSchema.parse(readConfig(seed["meta-data"]));

/** The reports that a system makes when it starts; `isFirst`: it has not started with this seed before. */
export function callsOf(seed: Seed, isFirst: boolean): Call[] {
  const parts = [...partsOf(seed["vendor-data"]), ...partsOf(seed["user-data"])];
  const configs = parts.filter(({ type }) => type === "text/cloud-config");
  // What the user says of a member counts, and nothing else of it.
  const config = configSchema.parse(
    Object.assign({}, ...configs.map(({ text }) => readConfig(text))),
  );
  const scripts = parts.filter(({ type }) => type === "text/x-shellscript-per-boot");
  return [
    ...(isFirst && config.phone_home ? [formOf(seed, config.phone_home.url)] : []),
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

/** The calls of a script that knows nothing but curl. */
const curlsIn = (script: string): Call[] =>
  script
    .split("\n")
    .filter((line) => line.startsWith("curl "))
    .map((line) => ({
      url: /(https?:\S+)$/.exec(line)?.[1] ?? "",
      type: "application/json",
      body: /-d '([^']*)'/.exec(line)?.[1] ?? "",
    }));

/** The parts of a MIME message, or the one part that a text is. */
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
