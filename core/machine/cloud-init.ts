import { quotedWord } from "../kernel/input/shell.ts";
import { writeYaml } from "../kernel/input/yaml.ts";

/** The parts of a cloud-init seed that do not depend on a machine's use. */

export function metaData({
  instanceId,
  hostname,
  keys,
}: {
  instanceId: string;
  hostname: string;
  keys: readonly string[];
}): string {
  return writeYaml({
    "instance-id": instanceId,
    "local-hostname": hostname,
    ...(keys.length > 0 && { "public-keys": keys }),
  });
}

/**
 * Makes a machine report each of its starts. The phone_home module of cloud-init reports only the first one,
 * with the machine's host keys; a script reports later ones. User data can override the module, but not the
 * script.
 */
export const phoningHome = ({ instanceId, url }: { instanceId: string; url: string }): string =>
  multipart(
    {
      type: "text/cloud-config",
      text: `#cloud-config\n${writeYaml({ phone_home: { url, post: "all", tries: 10 } })}`,
    },
    {
      type: "text/x-shellscript-per-boot",
      text: `#!/bin/sh\n${reporting(url, { instance_id: instanceId }).map(quotedWord).join(" ")}\n`,
    },
  );

/** The words of the curl command. Without `--globoff` curl expands braces in URLs. */
const reporting = (url: string, body: object): string[] => [
  "curl",
  ...["-fsS", "--globoff", "--retry", "60", "--retry-delay", "10", "--retry-all-errors"],
  ...["-H", "Content-Type: application/json", "-d", JSON.stringify(body), "--url", url],
];

/** The boundary cannot be in a part: it is no valid line of YAML or JSON, nor of our script. */
const boundary = "==slipway==";

const multipart = (...parts: { type: string; text: string }[]): string =>
  [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "MIME-Version: 1.0",
    "",
    ...parts.flatMap(({ type, text }) => [
      `--${boundary}`,
      `Content-Type: ${type}; charset="utf-8"`,
      "MIME-Version: 1.0",
      "",
      text,
    ]),
    `--${boundary}--`,
    "",
  ].join("\n");
