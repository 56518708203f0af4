import { describe } from "vitest";
import { kubernetesHub } from "../../fixture.ts";
import { clustersContract } from "../contract.ts";

describe("hosted clusters of HyperShift keep the contract", () => {
  clustersContract(kubernetesHub);
});
