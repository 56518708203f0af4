/** The layers of the repository: who may import whom. */
const only = (name, from, to, comment) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    only(
      "no-circular",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
      "cycles hide who depends on whom",
    ),
    only(
      "every-import-leads-somewhere",
      {},
      { couldNotResolve: true },
      "an import that cannot be resolved escapes every rule here",
    ),
    only(
      "the-product-does-not-know-the-laptop",
      { path: "^(core|functions|statemachines|agent|cli)/" },
      { path: "^(local|sim|simulate|bench|test)/" },
      "the laptop, the simulated world and what measures them are built on the product, never the other way round",
    ),
    only(
      "the-console-knows-the-api-alone",
      { path: "^console/src/" },
      { pathNot: "^console/src/|node_modules/" },
      "what it takes of the rest is generated, so that a client of any other release could do the same",
    ),
    only(
      "nobody-stands-on-the-console",
      { pathNot: "^console/" },
      { path: "^console/", pathNot: "^console/headers\\.ts$" },
      "it is a site of its own, of which those who serve it know what to send with it",
    ),
    only(
      "core-is-below-everything",
      { path: "^core/" },
      {
        path: "^(functions|statemachines|agent|infra|templates)/|node_modules/(hono|sst|@pulumi)/",
      },
      "core knows no HTTP framework, no Lambda, no SST",
    ),
    only(
      "the-model-is-pure",
      { path: "^core/resources/[^/]+/(model|status)\\.ts$" },
      {
        path: "^core/",
        pathNot:
          "^core/(resources|at-site|machine|ports|clock\\.ts|id\\.ts|(ipv4|mac|prefix)\\.ts|kernel/(input|object|saga)/|kernel/store/store\\.ts|placement/(pool/host|hubs/hub)\\.ts)",
      },
      "rules are tables and functions; they reach nothing",
    ),
    only(
      "the-saga-table-is-pure",
      { path: "^core/kernel/saga/(saga|plan|asl|platform-errors)\\.ts$" },
      { pathNot: "^core/kernel/saga/(saga|plan|asl|platform-errors)\\.ts$" },
      "a saga is data, and its state machine a function of it",
    ),
    // Of the layers, each may import those below it, in types as well; `core/kernel` is the lowest.
    only(
      "the-kernel-knows-no-kind-and-no-system",
      { path: "^core/kernel/" },
      { path: "^core/(ports|placement|at-site|machine|resources|reconcile)/" },
      "kinds and ports add themselves to what the kernel hands on",
    ),
    only(
      "ports-know-owners-only",
      { path: "^core/ports/" },
      { path: "^core/(placement|at-site|machine|resources|reconcile)/" },
      "an adapter serves whoever owns what it makes, of whatever kind",
    ),
    only(
      "placement-knows-demands-only",
      { path: "^core/placement/" },
      {
        path: "^core/(at-site|machine|resources|reconcile)/|^core/kernel/store/(sqlite|dynamodb)",
      },
      "claims are conditional writes through the store port, for whoever makes a demand",
    ),
    only(
      "at-site-knows-no-kind",
      { path: "^core/at-site/" },
      { path: "^core/(machine|resources|reconcile)/" },
      "kinds that have something at a site say so; what is at it does not ask which kind has it",
    ),
    only(
      "machine-knows-no-kind",
      { path: "^core/machine/" },
      { path: "^core/(placement|at-site|resources|reconcile)/" },
      "hosts, DPUs and servers boot and report alike",
    ),
    only(
      "resources-know-no-sweep",
      { path: "^core/resources/" },
      { path: "^core/reconcile/" },
      "reports and sweeps are over the kinds, as sagas are",
    ),
    only(
      "sagas-are-below-the-functions",
      { path: "^statemachines/" },
      { path: "^functions/" },
      "a step knows nothing of who calls it",
    ),
    only(
      "aws-only-in-its-adapters",
      {
        path: ".",
        pathNot:
          "^(core/(ports/(dns/route53/|aws/|webhook/sqs|workflow/step-functions/|bus/eventbridge|secrets/secrets-manager)|kernel/store/dynamodb/)|agent/event-bridge|functions/|local/step-functions|infra/bundle/|bench/cold/|test/)",
      },
      { path: "node_modules/(@aws-sdk|@smithy)/" },
      "AWS is behind ports",
    ),
    only(
      "what-is-deployed-is-a-dependency",
      { path: "^(agent|cli|core|functions|statemachines)/", pathNot: "/generate\\.ts$" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
      "package.json tells what runs in production; the laptop and the tests have their own packages",
    ),
    only(
      "sst-only-in-infra",
      { pathNot: "^(infra/|sst\\.config\\.ts$|test/infra/|bench/(cli|cold|cost))" },
      { path: "^infra/|node_modules/(sst|@pulumi|esbuild)/" },
      "how it is deployed is known to nobody who runs",
    ),
    only(
      "kubernetes-client-only-at-hubs",
      // What kinds are made of is read from it once, and written down.
      { pathNot: "^(core/ports/kubernetes|agent|test)/|^templates/generate\\.ts$" },
      { path: "node_modules/@kubernetes/client-node/" },
      "the Kubernetes client is behind the ports",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    parser: "swc",
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
