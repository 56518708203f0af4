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
  async (text: string): Promise<unknown> => {
    const fault = await userDataFault(text, isAlone);
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
const unread = (why: RegExp) =>
  refused(new RegExp(`^is no cloud-config: ${why.source}.*ssh_public_key`));
const marked = (text: string): string => `\uFEFF${text}`;

const taken: [string, string][] = [
  [config, "cloud-config"],
  [
    "#cloud-config",
    "nothing in it: cloud-init takes it, and the image may have a login of its own",
  ],
  ["#cloud-config\n# only this\n---\n", "nothing in it"],
  ["#cloud-config\nusers: [a,\n  b]\nusers: [c]\n", "PyYAML takes the last of two keys"],
  ["#cloud-config\npermissions: 0644\non: yes\n1: 2\n", "YAML 1.1"],
  ["#cloud-config\na: &x [1]\nb: *x\n<<: {c: 1}\n...\n", "anchors and merges"],
  ["#cloud-config\nrun: |\n  \tx\n", "a tab in text"],
  ["#cloud-config\nusers: [\n]\n", "PyYAML does not mind the end's indentation"],
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
    ["#cloud-config\nusers: [\n", unread(/line 3: Flow sequence/), "not ended"],
    ["#cloud-config\n- a\n", unread(/line 2: expected a mapping/), "a list"],
    ["#cloud-config\nvim\n", unread(/line 2: expected a mapping/), "text"],
    ["#cloud-config\npackages:[vim]\n", unread(/line 2: expected a mapping/), "no space"],
    ["#cloud-config\nusers:\n\t- a\n", unread(/line 3: Tabs are not allowed/), "tabs"],
    ["#cloud-config\nusers:\r\n- a\r\n b: c\r\n", unread(/line 3: /), "CRLF"],
    ["#cloud-config\na: b: c\n", unread(/line 2: Nested mappings/), "a colon in text"],
    ["#cloud-config\na: 'b\n", unread(/line 3: Missing closing/), "a quote not ended"],
    ["#cloud-config\na: *b\n", unread(/line 2: the anchor 'b' is not known/), "no anchor"],
    ["#cloud-config\na: !b c\n", unread(/line 2: Unresolved tag: !b/), "PyYAML knows no such tag"],
    [
      "#cloud-config\na: {{ v1.region }}\n",
      unread(/line 2: a key must be text/),
      "no template line",
    ],
    ["#cloud-config\na: \u0007\n", unread(/line 2: the character U\+0007/), "a control"],
    ["#cloud-config\na: 1\n---\nb: 2\n", unread(/line 4: expected one document/), "two"],
    ["\n #CLOUD-CONFIG\n- a\n", unread(/line 3: expected a mapping/), "the header in another form"],
    [packed("#cloud-config\n- a\n"), unread(/line 2: expected a mapping/), "packed"],
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
    ["#cloud-config\n- a\n", "#cloud-config\n- a\n", "whoever has a key can log in"],
    ["H4sIAAAA", refused(/gzip in base64/), "cut off"],
  ]);
});
