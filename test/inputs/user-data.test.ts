import { gzipSync } from "node:zlib";
import { describe } from "vitest";
import { AppError } from "../../core/error.ts";
import {
  servedUserData,
  userDataFault,
} from "../../core/resources/baremetal-instance/user-data.ts";
import { judgeInputs, refused } from "./table.ts";

/** User data, and what a server is served of it; cloud-init's `handlers/__init__.py` and `user_data.py` are the judges. */

const readBy =
  (isAlone: boolean) =>
  (text: string): unknown => {
    const fault = userDataFault(text, isAlone);
    if (fault !== undefined) throw new AppError("Invalid", fault);
    return servedUserData(text);
  };

const config = "#cloud-config\npackages: [vim]\n";
const mime = [
  'Content-Type: multipart/mixed; boundary="b"',
  "MIME-Version: 1.0",
  "",
  "--b",
  "Content-Type: text/x-shellscript",
  "",
  "#!/bin/sh",
  "--b--",
  "",
].join("\n");
const packed = (text: string): string => gzipSync(text).toString("base64");
const ignored = refused(/begins with none of '#cloud-config', .*ssh_public_key/);
const marked = (text: string): string => `\uFEFF${text}`;

const taken: [string, string][] = [
  [config, "cloud-config"],
  ["#cloud-config", "nothing in it"],
  ["#cloud-config\r\npackages: [vim]\r\n", "canonical/cloud-init#2183: CRLF"],
  ["\n\n #cloud-config\n{}", "cloud-init takes white space off"],
  ["#CLOUD-CONFIG\n{}", "in any case"],
  ["#cloud-config-archive\n- {}\n", "an archive"],
  ["#cloud-config-jsonp\n[]", "JSON patches"],
  ["#!/bin/bash\necho hello\n", "a script"],
  ["#include\nhttps://example.com/user-data\n", "what is at a URL"],
  ["#include-once\nhttps://example.com/user-data\n", "what is at a URL, once"],
  ["#include https://example.com/user-data", "on one line"],
  ["#cloud-boothook\n#!/bin/sh\n", "a boot hook"],
  ["#part-handler\n", "a handler"],
  ["## template: jinja\n#cloud-config\nhostname: {{ v1.region }}\n", "a template"],
  [mime, "MIME parts"],
  [mime.replaceAll("\n", "\r\n"), "MIME parts with CRLF"],
  ["From me\nmime-version: 1.0\n\n", "headers in any order and case"],
];

describe("user data without a key to log in by", () => {
  judgeInputs(readBy(true), [
    ...taken.map(([text, from]) => [text, text, from] as const),
    ...taken.map(([text, from]) => [marked(text), text, `hetznercloud/cli#511: ${from}`] as const),
    [packed(config), config, "Terraform's cloudinit_config"],
    [packed(mime), mime, "Terraform's cloudinit_config, of parts"],
    [packed(marked(config)), config, "a mark inside"],
    [packed(config).replace(/(.{20})/g, "$1\n"), config, "base64 in lines"],
    ["packages: [vim]\n", ignored, "canonical/cloud-init#6114"],
    ["# cloud-config\npackages: [vim]\n", ignored, "a space in the header"],
    ["#cloudconfig\n", ignored, "without its dash"],
    [marked(marked(config)), ignored, "two marks"],
    [mime.replace(/MIME-Version.*\n/, ""), ignored, "cloud-init asks for MIME-Version alone"],
    [packed("packages: [vim]\n"), ignored, "packed"],
    ["#upstart-job\n", ignored, "no longer known"],
    [" ", ignored, "nothing"],
    ["H4sIAAAA", refused(/gzip in base64 that cannot be unpacked/), "cut off"],
    [packed(" ".repeat(2_000_000)), refused(/more than 1048576 bytes/), "a bomb"],
  ]);
});

describe("user data beside a key, or of a system of the tenant's own,", () => {
  const other = "version: v1alpha1\n";
  judgeInputs(readBy(false), [
    [other, other, "Talos reads it without a header"],
    ["#ps1_sysnative\nls\n", "#ps1_sysnative\nls\n", "cloudbase-init"],
    [marked(other), other, "a mark"],
    ["H4sIAAAA", refused(/gzip in base64/), "cut off"],
  ]);
});
