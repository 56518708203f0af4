import { beforeAll, describe, it } from "vitest";
import { agentsContract } from "../../core/ports/hub/agents/contract.ts";
import { hubContract } from "../../core/ports/hub/contract.ts";
import { oracleFixture } from "./fixture.ts";
import { missing, type Oracle, prepared } from "./oracle.ts";

describe("a hub on a real Kubernetes API server", () => {
  if (missing !== undefined) {
    it.skip(missing);
    return;
  }
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await prepared();
  }, 120_000);
  const open = () => oracleFixture(oracle);

  describe("keeps the contract of hubs", () => hubContract(open));
  describe("keeps the contract of agents", () => agentsContract(open));
});
