import { describe } from "vitest";
import { hubContract } from "./contract.ts";
import { kubernetesHub } from "./fixture.ts";

describe("a hub behind its Kubernetes API keeps the contract", () => {
  hubContract(kubernetesHub);
});
