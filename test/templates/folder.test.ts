import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { readTemplate } from "../../templates/folder.ts";
import { mainFile, manifestFile, templateFolder } from "./folder.ts";

/** `file:line:column field`, with what the message must say. */
function problems(files: Record<string, string | undefined>, id?: string): string[] {
  const folder = templateFolder(files, id === undefined ? {} : { id });
  return readTemplate(folder).problems.map(
    ({ file, line, column, field, message }) =>
      `${relative(folder, file)}:${line}:${column} ${field}: ${message}`,
  );
}

const main = (change: (text: string) => string) => ({ "template.yaml": change(mainFile) });
const manifest = (change: (text: string) => string) => ({
  "manifests/sizes.yaml": change(manifestFile),
});

it("reads a folder in the words of the API", () => {
  const { template, problems } = readTemplate(templateFolder({}, { id: "ocp_4.17_Test" }));
  expect(problems).toEqual([]);
  expect(template).toMatchObject({ id: "ocp_4.17_Test", name: "ocp-4-17-test" });
  expect(template?.content).toEqual({
    title: "Tested",
    parameters: [
      { name: "owner", type: "string", required: true, schema: {} },
      { name: "size", type: "integer", default: 3, schema: { minimum: 1 } },
    ],
    node_sets: { workers: { host_type: "small", size: 2 } },
    storage: { storage_class: "fast" },
    manifests: [
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "sizes", namespace: "demo" },
        data: {
          owner: { $parameter: "owner" },
          sizes: { $json: { size: { $parameter: "size" } } },
        },
      },
    ],
  });
});

it("finds the line of a member that its kind does not have", () => {
  expect(problems(manifest((text) => text.replace("\ndata:", "\ndataa:")))).toEqual([
    expect.stringMatching(
      /^manifests\/sizes\.yaml:\d+:1 dataa: is not a member of this kind; did you mean 'data'\?$/,
    ),
  ]);
});

it("reads numbers of manifests as kubectl does", () => {
  const { template, problems } = readTemplate(
    templateFolder({
      "manifests/tuned.yaml": `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: tuned, namespace: demo }
spec:
  selector: { matchLabels: { app: tuned } }
  template:
    metadata: { labels: { app: tuned } }
    spec:
      hostNetwork: yes
      containers: [{ name: tuned, image: "registry.example.com/tuned:1" }]
      volumes: [{ name: keys, secret: { secretName: keys, defaultMode: 0400 } }]
`,
    }),
  );
  expect(problems).toEqual([]);
  expect(template?.content.manifests).toMatchObject([
    { kind: "ConfigMap" },
    {
      spec: {
        template: { spec: { hostNetwork: true, volumes: [{ secret: { defaultMode: 256 } }] } },
      },
    },
  ]);
});

it("takes manifests in the order of their files, and of documents in a file", () => {
  const config = (name: string) => manifestFile.replace("name: sizes", `name: ${name}`);
  const { template } = readTemplate(
    templateFolder({
      "manifests/sizes.yaml": undefined,
      "manifests/20.yaml": `${config("c")}---\n# nothing\n---\n${config("d")}`,
      "manifests/10.yaml": config("a"),
    }),
  );
  const names = template?.content.manifests?.map(({ metadata }) => Object(metadata).name);
  expect(names).toEqual(["a", "c", "d"]);
  const second = template?.problem(["manifests", 2, "data", "owner"], "x");
  expect(second).toMatchObject({ line: 19, column: 3, field: "data.owner" });
  expect(second?.file.endsWith("20.yaml")).toBe(true);
});

describe("a folder is refused", () => {
  it("that is not there, or is a file", () => {
    expect(readTemplate("/nowhere/at/all").problems).toEqual([
      { file: "/nowhere/at/all", line: 1, column: 1, field: "", message: "is not a folder" },
    ]);
  });

  it("without a template in it", () => {
    expect(problems({ "template.yaml": undefined })).toEqual(["template.yaml:1:1 : is missing"]);
  });

  it("under a name that is no id", () => {
    expect(problems({}, "small cluster")[0]).toMatch(/^template.yaml:1:1 : 'small cluster' cannot/);
  });

  it("with files that nobody would read", () => {
    const text = "x: 1\n";
    const found = problems({
      "template.yml": text,
      "manifests/more.yml": text,
      "manifests/more/a.yaml": text,
      "README.md": "fine",
      ".hidden": "fine",
    });
    expect(found.map((each) => each.split(" ")[0])).toEqual([
      "template.yml:1:1",
      "manifests/more:1:1",
      "manifests/more.yml:1:1",
    ]);
  });
});

describe("template.yaml is refused", () => {
  it.each<[string, (text: string) => string, string[]]>([
    ["empty", () => "# soon\n", ["template.yaml:1:1 : is empty"]],
    ["that is no YAML", (text) => text.replace("[owner]", "[owner"), ["template.yaml:4:3 : "]],
    ["with a key twice", (text) => `${text}title: Again\n`, ["template.yaml:11:1 : Map keys"]],
    [
      "with a tag",
      (text) => text.replace("Tested", "!env HOME"),
      ["template.yaml:1:8 : Unresolved"],
    ],
    [
      "of two documents",
      (text) => `${text}---\na: 1\n`,
      ["template.yaml:12:1 : expected one document"],
    ],
    ["that is a list", () => "- a\n", ["template.yaml:1:1 : must be object"]],
    [
      "with fields that are unknown, missing, and of wrong type",
      (text) => text.replace("workers: {size: 2}", "workers: {sise: 2}").replace("Tested", "[1]"),
      [
        "template.yaml:1:1 title: must be string",
        "template.yaml:9:3 node_sets.workers.size: is required",
        "template.yaml:9:13 node_sets.workers.sise: is not a known field",
      ],
    ],
    [
      "with node sets of no size, or a name that is none",
      (text) => text.replace("workers: {size: 2}", "W: {size: 1}\n  w: {size: 0}"),
      ["template.yaml:9:3 node_sets.W: must be 1 to 63", "template.yaml:10:7 node_sets.w.size: "],
    ],
    [
      "without node sets",
      (text) => text.replace("\n  workers: {size: 2}", " {}"),
      ["template.yaml:8:1 node_sets: at least one"],
    ],
    [
      "whose node set has no host type",
      (text) => text.replace("default_host_type: small\n", ""),
      ["template.yaml:8:3 node_sets.workers: names no host_type"],
    ],
    [
      "with a parameter of an unknown type",
      (text) => text.replace("type: string", "type: date"),
      ["template.yaml:5:13 parameters.properties.owner.type: must be one of"],
    ],
    [
      "with a keyword of JSON Schema that says nothing here",
      (text) => text.replace("{type: string}", "{type: string, minimum: 1, items: 2}"),
      ["template.yaml:5:39 parameters.properties.owner.items: is not a known field"],
    ],
    [
      "with a keyword of another type",
      (text) => text.replace("{type: string}", "{type: string, minimum: 1}"),
      ["template.yaml:5:27 parameters.properties.owner.minimum: does not apply"],
    ],
    [
      "with a default that its schema refuses",
      (text) => text.replace("default: 3", "default: 0"),
      ["template.yaml:6:27 parameters.properties.size.default: must be >=1"],
    ],
    [
      "with a default of the wrong type",
      (text) => text.replace("default: 3", 'default: "3"'),
      ["template.yaml:6:27 parameters.properties.size.default: must be of type integer"],
    ],
    [
      "that requires what is not there",
      (text) => text.replace("[owner]", "[owner, nobody]"),
      ["template.yaml:3:21 parameters.required[1]: 'nobody' is no property"],
    ],
    [
      "with a parameter that nothing uses",
      (text) => text.replace("    size:", "    idle: {type: boolean}\n    size:"),
      ["template.yaml:6:5 parameters.properties.idle: nothing in the template uses it"],
    ],
    [
      "with a parameter whose name is none",
      (text) => text.replace("    size:", "    a.b: {type: boolean}\n    size:"),
      ["template.yaml:6:5 parameters.properties.a.b: must be 1 to 63"],
    ],
    [
      "with prefixes that overlap",
      (text) => `${text}network:\n  pod_cidr: 10.0.0.0/8\n  service_cidr: 10.1.0.0/16\n`,
      ["template.yaml:13:3 network.service_cidr: overlaps pod_cidr"],
    ],
    [
      "with an operator where none may be",
      (text) => `${text}operators:\n  - package: a\n    channel: b\n    namespace: kube-system\n`,
      ["template.yaml:14:5 operators[0].namespace: a template cannot write"],
    ],
    [
      "with an operator without a channel",
      (text) => `${text}operators:\n  - {package: a, namespace: b}\n`,
      ["template.yaml:12:5 operators[0].channel: must be the name of a channel"],
    ],
    [
      "with a workload that has no job, or goes elsewhere",
      (text) =>
        `${text}validation:\n  timeout_minutes: 5\n  workload:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: a, namespace: b}\n`,
      [
        "template.yaml:16:27 validation.workload[0].metadata.namespace: must be left out",
        "template.yaml:13:3 validation.workload: needs a Job",
      ],
    ],
    [
      "with a policy that does not exist",
      (text) => `${text}on_failure: retry\n`,
      ["template.yaml:11:1 on_failure: must be one of"],
    ],
    [
      "with a storage class that cannot be",
      (text) => text.replace("storage_class: fast", "storage_class: Fast"),
      ["template.yaml:10:11 storage.storage_class: must be 1 to 63"],
    ],
  ])("%s", (_, change, expected) => {
    const found = problems(main(change));
    expect(found).toEqual(expected.map((each) => expect.stringContaining(each)));
  });
});

describe("a manifest is refused", () => {
  it.each<[string, (text: string) => string, string]>([
    ["that is empty", () => "", "manifests/sizes.yaml:1:1 : is empty"],
    ["that is text", () => "just text\n", "manifests/sizes.yaml:1:1 : must be a Kubernetes object"],
    ["that is no YAML", (text) => text.replace("$json: {", "$json: {{"), "manifests/sizes.yaml:"],
    [
      "of a kind that is out of reach",
      (text) => text.replace("ConfigMap", "Secret"),
      "manifests/sizes.yaml:2:1 kind: a template cannot bring a Secret",
    ],
    [
      "in a namespace that is closed",
      (text) => text.replace("demo", "openshift-config"),
      "manifests/sizes.yaml:5:3 metadata.namespace: a template cannot write into namespace",
    ],
    [
      "whose kind is a parameter",
      (text) => text.replace("ConfigMap", "{$parameter: owner}"),
      "manifests/sizes.yaml:2:1 kind: cannot be a parameter",
    ],
    [
      "with a parameter that the template has not",
      (text) => text.replace("{$parameter: owner}", "{$parameter: ovner}"),
      'manifests/sizes.yaml:7:11 data.owner.$parameter: "ovner" is not a parameter of the template',
    ],
    [
      "with a placeholder in company",
      (text) => text.replace("{$parameter: owner}", "{$parameter: owner, or: me}"),
      "manifests/sizes.yaml:7:11 data.owner.$parameter: must be the whole value",
    ],
    [
      "with a number where text belongs",
      (text) => text.replace("{$parameter: owner}", "{$parameter: size}"),
      "manifests/sizes.yaml:7:3 data.owner: must be text, but is integer",
    ],
    [
      "with a number too large to keep",
      (text) => `${text}immutable: 12345678901234567890\n`,
      "manifests/sizes.yaml:10:12 : the number has more digits than are kept",
    ],
    [
      "with no number at all",
      (text) => `${text}immutable: .nan\n`,
      "manifests/sizes.yaml:10:12 : JSON has no number .nan",
    ],
    [
      "that is there twice",
      (text) => `${text}---\n${text}`,
      "manifests/sizes.yaml:11:1 : is the same object as one before it",
    ],
  ])("%s", (_, change, expected) => {
    const found = problems(manifest(change));
    expect(found).toContainEqual(expect.stringContaining(expected));
  });

  it("that is not UTF-8", () => {
    const folder = templateFolder();
    const broken = Buffer.from([0x61, 0x3a, 0x20, 0xff, 0x0a]);
    writeFileSync(join(folder, "manifests/sizes.yaml"), broken);
    expect(readTemplate(folder).problems[0]?.message).toBe("cannot be read as UTF-8 text");
  });
});
