import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export const mainFile = `title: Tested
parameters:
  required: [owner]
  properties:
    owner: {type: string}
    size: {type: integer, default: 3, minimum: 1}
default_host_type: small
node_sets:
  workers: {size: 2}
storage: {storage_class: fast}
`;

export const manifestFile = `apiVersion: v1
kind: ConfigMap
metadata:
  name: sizes
  namespace: demo
data:
  owner: {$parameter: owner}
  sizes:
    $json: {size: {$parameter: size}}
`;

/** A template's folder with these files in it, beside or in place of those of one that is fine. */
export function templateFolder(
  files: Record<string, string | undefined> = {},
  { id = "tested" } = {},
): string {
  const root = mkdtempSync(join(tmpdir(), "template-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const all = { "template.yaml": mainFile, "manifests/sizes.yaml": manifestFile, ...files };
  for (const [name, text] of Object.entries(all)) {
    if (text === undefined) continue;
    const path = join(root, id, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(root, id);
}
