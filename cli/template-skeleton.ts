import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { CliCall } from "./call.ts";
import { type Exit, wrongCall } from "./exit.ts";
import { shellWord } from "./output/shell-word.ts";
import { validateTemplates } from "./templates.ts";

/** `slipway template init DIR`: creates a template to begin with, which already validates. */

export interface InitOptions {
  hostType: string;
}

export async function initTemplate(call: CliCall<InitOptions>): Promise<Exit> {
  const { around, options, words } = call;
  const [folder = ""] = words;
  if (existsSync(folder)) throw wrongCall(`${folder} already exists; name a new folder`);
  const files = skeleton(basename(resolve(folder)), options.hostType);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content, { flag: "wx" });
    around.err.write(`written  ${join(folder, name)}\n`);
  }
  const exit = await validateTemplates(call);
  around.err.write(`make it yours, then: slipway template publish ${shellWord(folder)}\n`);
  return exit;
}

function skeleton(id: string, hostType: string): Record<string, string> {
  return {
    "template.yaml": `# What an order of ${id} is made of. templates/README.md has every member.
title: ${JSON.stringify(id)}
description: Says to those who choose what the cluster is for.

# What an order may say of it, as JSON Schema. Manifests take a value with {$parameter: greeting}.
parameters:
  type: object
  properties:
    greeting: {title: What the cluster says of itself, type: string, maxLength: 200, default: hello}

default_host_type: ${JSON.stringify(hostType)}
node_sets:
  workers:
    size: 2
`,
    "manifests/greeting.yaml": `# Applied to the new cluster, with all others of this folder, in the order of their names.
apiVersion: v1
kind: Namespace
metadata:
  name: greeting
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: greeting
  namespace: greeting
data:
  text: {$parameter: greeting}
`,
  };
}
