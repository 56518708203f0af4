import { expect, it } from "vitest";
import { settingsIn } from "../../agent/settings.ts";

const least = {
  SLIPWAY_HUB: "hub-a",
  SLIPWAY_URL: "https://api.example.com/",
  SLIPWAY_TOKEN_FILE: "/token",
  KUBERNETES_SERVICE_HOST: "10.0.0.1",
  KUBERNETES_SERVICE_PORT: "6443",
};

it("needs little in a cluster", () => {
  expect(settingsIn({ ...least, SLIPWAY_LOG_LEVEL: "", KUBECONFIG: "" })).toEqual({
    hub: "hub-a",
    home: { api: "https://api.example.com", tokenFile: "/token" },
    kube: { host: "10.0.0.1", port: "6443" },
    queue: "/var/lib/slipway",
    queueLimit: 64 * 1024 * 1024,
    heartbeatEvery: 180_000,
    health: { port: 8080 },
    level: "info",
  });
});

it("goes where a kubeconfig says, if there is one", () => {
  const { kube } = settingsIn({ ...least, KUBECONFIG: "/kubeconfig" });
  expect(kube).toEqual({ kubeconfig: "/kubeconfig" });
});

it("reports to a bus in place of the API, and not to both", () => {
  const SLIPWAY_EVENT_BUS = "arn:aws:events:eu-west-1:123456789012:event-bus/hubs";
  const { SLIPWAY_URL: _, SLIPWAY_TOKEN_FILE: __, ...rest } = least;
  expect(settingsIn({ ...rest, SLIPWAY_EVENT_BUS }).home).toEqual({ bus: SLIPWAY_EVENT_BUS });
  expect(() => settingsIn({ ...least, SLIPWAY_EVENT_BUS })).toThrow("excludes SLIPWAY_URL");
});

it("names every variable at once", () => {
  expect(() => settingsIn({})).toThrow(
    [
      "SLIPWAY_HUB is required: the id of this hub",
      "SLIPWAY_URL is required: the URL of Slipway's API",
      "KUBECONFIG is required outside of a cluster: the hub's kubeconfig file",
    ].join("\n"),
  );
});

it.each([
  ["SLIPWAY_HUB", "a/b", "must be the id of a hub"],
  ["SLIPWAY_URL", "http://api.example.com", "must be a URL such as https://api.example.com"],
  ["SLIPWAY_URL", "https://me:password@api.example.com", "must be a URL such as"],
  ["SLIPWAY_TOKEN_FILE", "", "is required: a file with the token of this hub"],
  ["SLIPWAY_EVENT_BUS", "hubs", "must be the ARN of the bus of hubs"],
  ["SLIPWAY_QUEUE_MEGABYTES", "none", "must be a whole number"],
  ["SLIPWAY_QUEUE_MEGABYTES", "0", "must be at least 1"],
  ["SLIPWAY_HEARTBEAT_SECONDS", "3600", "must be at most 300"],
  ["SLIPWAY_HEALTH_PORT", "65536", "must be at most 65535"],
  ["SLIPWAY_LOG_LEVEL", "loud", "must be debug, info, warn or error"],
])("refuses %s=%s", (name, value, words) => {
  expect(() => settingsIn({ ...least, [name]: value })).toThrow(`${name} ${words}`);
});
