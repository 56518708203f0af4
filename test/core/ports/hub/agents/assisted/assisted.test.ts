import { describe } from "vitest";
import { kubernetesHub } from "../../fixture.ts";
import { agentsContract } from "../contract.ts";

describe("agents of the assisted service keep the contract", () => {
  agentsContract(kubernetesHub);
});
