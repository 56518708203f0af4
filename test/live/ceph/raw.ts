import type { Row } from "../compare.ts";

/** What is asked of Ceph's manager, and what is wrong with it. */

const pool = "clusters";
const namespaces = `/api/block/pool/${pool}/namespace`;
const image = (spec: string) => `/api/block/image/${encodeURIComponent(spec)}`;
const user = (entity: string, cap: string) => ({
  user_entity: entity,
  capabilities: [
    { entity: "mon", cap: "profile rbd" },
    { entity: "osd", cap },
  ],
});
const scoped = "profile rbd pool=clusters namespace=one";
const version = (named: string) => ({ accept: `application/vnd.ceph.api.v${named}+json` });

export const cephRows: Row[] = [
  {
    what: "a login with a wrong password",
    ask: { method: "POST", path: "/api/auth", body: { username: "slipway", password: "wrong" } },
  },
  {
    what: "a header without a token",
    ask: { method: "GET", path: namespaces, headers: { authorization: "" } },
    differs: "the manager fails at it; Slipway always sends a token, and one that has ended is 401",
  },
  {
    what: "a version that the endpoint has not",
    ask: { method: "GET", path: namespaces, headers: version("2.0") },
  },
  { what: "no version", ask: { method: "GET", path: namespaces, headers: { accept: "*/*" } } },
  { what: "a path that there is not", ask: { method: "GET", path: "/api/nothing" } },
  { what: "the monitors", ask: { method: "GET", path: "/api/monitor" } },
  { what: "a namespace", ask: { method: "POST", path: namespaces, body: { namespace: "one" } } },
  { what: "it again", ask: { method: "POST", path: namespaces, body: { namespace: "one" } } },
  { what: "the namespaces", ask: { method: "GET", path: namespaces } },
  {
    what: "namespaces of a pool that there is not",
    ask: { method: "GET", path: "/api/block/pool/nowhere/namespace" },
  },
  {
    what: "a namespace in a pool that there is not",
    ask: { method: "POST", path: "/api/block/pool/nowhere/namespace", body: { namespace: "one" } },
  },
  { what: "a namespace without a name", ask: { method: "POST", path: namespaces, body: {} } },
  {
    what: "a namespace goes that there is not",
    ask: { method: "DELETE", path: `${namespaces}/two` },
  },
  {
    what: "an image",
    ask: {
      method: "POST",
      path: "/api/block/image",
      body: { name: "a", pool_name: pool, namespace: "one", size: 1 << 22, features: ["layering"] },
    },
  },
  {
    what: "it again",
    ask: {
      method: "POST",
      path: "/api/block/image",
      body: { name: "a", pool_name: pool, namespace: "one", size: 1 << 22, features: ["layering"] },
    },
  },
  {
    what: "an image in a pool that there is not",
    ask: {
      method: "POST",
      path: "/api/block/image",
      body: { name: "a", pool_name: "nowhere", namespace: "one", size: 1 << 22 },
    },
  },
  {
    what: "an image in a namespace that there is not",
    ask: {
      method: "POST",
      path: "/api/block/image",
      body: { name: "a", pool_name: pool, namespace: "two", size: 1 << 22 },
    },
  },
  {
    what: "the images of a pool",
    ask: {
      method: "GET",
      path: `/api/block/image?pool_name=${pool}&offset=0&limit=-1`,
      headers: version("2.0"),
    },
  },
  {
    what: "a namespace goes that has an image",
    ask: { method: "DELETE", path: `${namespaces}/one` },
  },
  { what: "the image goes", ask: { method: "DELETE", path: image(`${pool}/one/a`) } },
  { what: "an image goes that is gone", ask: { method: "DELETE", path: image(`${pool}/one/a`) } },
  {
    what: "an image goes of a namespace that there is not",
    ask: { method: "DELETE", path: image(`${pool}/two/a`) },
  },
  { what: "the namespace goes", ask: { method: "DELETE", path: `${namespaces}/one` } },
  {
    what: "a user",
    ask: { method: "POST", path: "/api/cluster/user", body: user("client.slipway-raw", scoped) },
  },
  {
    what: "the same user",
    ask: { method: "POST", path: "/api/cluster/user", body: user("client.slipway-raw", scoped) },
  },
  {
    what: "it with other rights",
    ask: { method: "POST", path: "/api/cluster/user", body: user("client.slipway-raw", "allow r") },
  },
  { what: "the users", ask: { method: "GET", path: "/api/cluster/user" } },
  {
    what: "its key",
    ask: {
      method: "POST",
      path: "/api/cluster/user/export",
      body: { entities: ["client.slipway-raw"] },
    },
  },
  {
    what: "the key of a user that there is not",
    ask: { method: "POST", path: "/api/cluster/user/export", body: { entities: ["client.none"] } },
  },
  {
    what: "other rights of a user",
    ask: { method: "PUT", path: "/api/cluster/user", body: user("client.slipway-raw", "allow r") },
  },
  {
    what: "other rights of a user that there is not",
    ask: { method: "PUT", path: "/api/cluster/user", body: user("client.none", "allow r") },
  },
  { what: "a user without a name", ask: { method: "POST", path: "/api/cluster/user", body: {} } },
  {
    what: "the user goes",
    ask: { method: "DELETE", path: "/api/cluster/user/client.slipway-raw" },
  },
  {
    what: "a user goes that there is not",
    ask: { method: "DELETE", path: "/api/cluster/user/client.slipway-raw" },
  },
];
