import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kubernetesApi } from "../../../sim/kubernetes/api.ts";
import { makeAuthority, makeServerCertificate } from "../../../sim/kubernetes/certificates.ts";
import { kubeconfig } from "../../../sim/kubernetes/kubeconfig.ts";
import { serveTls, type TlsServer } from "../../../sim/kubernetes/tls.ts";
import { openCluster, widget } from "./fixture.ts";

const isInstalled = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!isInstalled) console.log("kubectl is not installed: its tests are skipped");

describe.skipIf(!isInstalled)("kubectl", () => {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-"));
  const file = join(folder, "kubeconfig");
  // Its discovery cache goes into the folder too.
  const env = { ...process.env, KUBECONFIG: file, HOME: folder };
  const { cluster } = openCluster();
  let server: TlsServer;

  beforeAll(async () => {
    const authority = await makeAuthority("hub-1");
    const identity = await makeServerCertificate(authority, ["127.0.0.1"]);
    const authenticate = (token: string) => (token === "secret" ? "tester" : undefined);
    server = await serveTls(kubernetesApi(cluster, { authenticate }), { identity });
    const { certificate } = authority;
    const options = { name: "hub-1", server: server.url, authority: certificate, token: "secret" };
    writeFileSync(file, kubeconfig(options));
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  function kubectl(args: string, input?: object): Promise<{ code: number; out: string }> {
    return new Promise((resolve) => {
      const child = execFile("kubectl", args.split(" "), { env }, (error, stdout, stderr) => {
        resolve({ code: error ? 1 : 0, out: stdout + stderr });
      });
      child.stdin?.end(input ? JSON.stringify(input) : "");
    });
  }

  it("creates, shows, describes and deletes", async () => {
    expect((await kubectl("create -f -", widget("one"))).out).toBe(
      "widget.example.com/one created\n",
    );
    cluster.patchStatus("Widget", "default", "one", () => ({
      conditions: [{ type: "Ready", status: "True" }],
    }));
    const { out } = await kubectl("get wd");
    expect(out).toMatch(/^NAME +SIZE +READY +AGE\none +small +True +\d+s\n$/);
    expect((await kubectl("get all -A -o name")).out).toContain("widget.example.com/one");
    expect((await kubectl("get widget one -o jsonpath={.spec.size}")).out).toBe("small");
    expect((await kubectl("describe widget one")).out).toMatch(/Name: +one[\s\S]*Events: +<none>/);
    expect((await kubectl("delete widget one")).out).toContain('"one" deleted');
    expect(await kubectl("get widget one")).toEqual({
      code: 1,
      out: 'Error from server (NotFound): widgets.example.com "one" not found\n',
    });
  });

  it("applies on the client and on the server, validated by the server", async () => {
    expect((await kubectl("apply -f -", widget("two", { replicas: 1 }))).out).toContain("created");
    expect((await kubectl("apply -f -", widget("two", { size: "large" }))).out).toContain(
      "configured",
    );
    expect(cluster.get("Widget", "default", "two")?.spec).toEqual({ size: "large" });
    expect(
      (await kubectl("apply --validate=false -f -", widget("two", { size: "large" }))).out,
    ).toContain("unchanged");
    const serverSide = await kubectl("apply --server-side -f -", widget("three", { replicas: 1 }));
    expect(serverSide.out).toContain("serverside-applied");
    const unknown = await kubectl("apply -f -", widget("four", { nope: 1 }));
    expect(unknown.out).toContain('unknown field "spec.nope"');
    expect((await kubectl("apply --dry-run=server -f -", widget("four"))).out).toContain(
      "server dry run",
    );
    expect(cluster.get("Widget", "default", "four")).toBeUndefined();
  });

  it("labels, annotates, patches, scales and explains", async () => {
    await kubectl("create -f -", widget("five"));
    expect((await kubectl("label widget five tier=front")).out).toContain("labeled");
    expect((await kubectl("annotate widget five note=x")).out).toContain("annotated");
    const patch = `patch widget five --type=merge -p {"spec":{"size":"large"}}`;
    expect((await kubectl(patch)).out).toContain("patched");
    expect((await kubectl("scale widget five --replicas=3")).out).toContain("scaled");
    expect(cluster.get("Widget", "default", "five")).toMatchObject({
      metadata: { labels: { tier: "front" }, annotations: { note: "x" } },
      spec: { size: "large", replicas: 3 },
    });
    expect((await kubectl("get widgets -l tier=front -o name")).out).toBe(
      "widget.example.com/five\n",
    );
    expect((await kubectl("explain widget.spec")).out).toMatch(/replicas\s+<integer>/);
  });

  it("handles built-in kinds", async () => {
    expect((await kubectl("create namespace tenant")).out).toBe("namespace/tenant created\n");
    expect((await kubectl("create secret generic s -n tenant --from-literal=a=b")).code).toBe(0);
    expect((await kubectl("create configmap c -n tenant --from-literal=a=b")).code).toBe(0);
    expect((await kubectl("create serviceaccount osac -n tenant")).code).toBe(0);
    const binding =
      "create rolebinding b -n tenant --clusterrole=admin --serviceaccount=tenant:osac";
    expect((await kubectl(binding)).out).toContain("created");
    expect((await kubectl("describe secret s -n tenant")).out).toMatch(/a: +1 bytes/);
    expect((await kubectl("get ns")).out).toMatch(/tenant +Active/);
    expect((await kubectl("delete ns tenant")).out).toContain("deleted");
    expect(cluster.list("Secret", { namespace: "tenant" })).toEqual([]);
  });

  it("watches", async () => {
    const child = spawn("kubectl", ["get", "widgets", "-w", "-o", "name"], { env });
    child.stdout.setEncoding("utf8");
    let out = "";
    const printed = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: string) => {
        out += chunk;
        if (out.includes("widget.example.com/watched")) resolve();
        else if (!cluster.get("Widget", "default", "watched")) cluster.create(widget("watched"));
      });
    });
    await kubectl("create -f -", widget("first"));
    await printed;
    const ended = once(child, "exit");
    child.kill();
    await ended;
  });
});
