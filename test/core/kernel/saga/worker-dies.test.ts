import { expect, it } from "vitest";
import { accept, finish, openToyLaptop, toySaga } from "../../../support/toy/laptop.ts";
import { noting } from "../../../support/toy/steps.ts";

/**
 * Names as AWS gives them: those of Lambda's Invoke API with `Lambda.` before them, and the
 * `errorType` in the answer of a run that ended by itself.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 * https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
 */

/** Runs a saga whose worker ends so for the first times; answers the operation and what the steps did. */
async function run(name: string, times: number, moment: "before" | "after") {
  const log: string[] = [];
  let deaths = 0;
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two")]) },
    invoke: async (step, work) => {
      if (step !== "Two" || deaths === times) return work();
      deaths++;
      if (moment === "after") await work();
      throw Object.assign(new Error("said by Lambda"), { name });
    },
  });
  const operation = await finish(laptop, await accept(laptop));
  return { operation, log, deaths };
}

it.each([
  // The run ended: `{"errorType":"Runtime.ExitError","errorMessage":"RequestId: … Error: Runtime exited with error: exit status 1"}`
  "Runtime.ExitError",
  "Runtime.OutOfMemory",
  "Runtime.NodeJsExit",
  "Runtime.UnhandledPromiseRejection",
  "Runtime.Unknown",
  "Sandbox.Timedout",
  "Sandbox.Failure",
  "Lambda.Unknown",
  // Lambda did not take the call.
  "Lambda.TooManyRequestsException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.ClientExecutionTimeoutException",
  "Lambda.ResourceConflictException",
  "Lambda.CodeArtifactUserPendingException",
  // It had no network for the function.
  "Lambda.ResourceNotReadyException",
  "Lambda.ENINotReadyException",
  "Lambda.ENILimitReachedException",
  "Lambda.SubnetIPAddressLimitReachedException",
  "Lambda.EC2ThrottledException",
  "Lambda.EC2UnexpectedException",
])("a worker that ends with %s is called again", async (name) => {
  const { operation, log, deaths } = await run(name, 3, "before");
  expect(deaths).toBe(3);
  expect(operation.status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two"]);
});

it("a worker that dies after its step was done is not called again", async () => {
  const { operation, log } = await run("Runtime.ExitError", 1, "after");
  expect(operation.status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two"]);
});

it.each([
  "Lambda.KMSDisabledException",
  "Lambda.KMSAccessDeniedException",
  "Lambda.KMSNotFoundException",
  "Lambda.KMSInvalidStateException",
  "Lambda.EC2AccessDeniedException",
  "Lambda.InvalidSubnetIDException",
  "Lambda.InvalidSecurityGroupIDException",
  "Lambda.InvalidRuntimeException",
  "Lambda.InvalidZipFileException",
  "Lambda.ResourceNotFoundException",
  "Runtime.ImportModuleError",
  "Runtime.HandlerNotFound",
])(
  "%s is not tried again, since only a person can mend it: the order fails and says so",
  async (name) => {
    const { operation, log, deaths } = await run(name, 3, "before");
    expect(deaths).toBe(1);
    expect(operation.status.state).toBe("FAILED");
    expect(operation.status.failure).toMatchObject({ step: "Two", kind: name });
    // It never began, so there is nothing of it to undo.
    expect(log).toEqual(["One", "Undo One"]);
  },
);
