/**
 * Errors of the platform between a state machine and its worker, by the names that Step Functions gives
 * them: `Lambda.` before an error of Lambda's Invoke API, and the `errorType` of a run that ended
 * without an answer. Steps can be repeated without harm, so Step Functions tries again after every such
 * accident.
 *
 * - Invoke: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 * - Step Functions:
 *   https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
 * - ends of a run: the `ErrorType`s of https://github.com/aws/aws-lambda-runtime-interface-emulator,
 *   and `src/Errors.js` of https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
 */

/** The run ended without an answer: the process died, or took too long. */
const died = [
  "Lambda.Unknown",
  "Sandbox.Timedout",
  "Sandbox.Failure",
  "Runtime.ExitError",
  "Runtime.OutOfMemory",
  "Runtime.InvokeTimeout",
  "Runtime.NodeJsExit",
  "Runtime.UnhandledPromiseRejection",
  "Runtime.TruncatedResponse",
  "Runtime.Unknown",
  "Function.Unknown",
];

/** Lambda could not take the call just now. */
const busy = [
  "Lambda.TooManyRequestsException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.ClientExecutionTimeoutException",
  // The function is being created or changed: a deployment.
  "Lambda.ResourceConflictException",
  "Lambda.CodeArtifactUserPendingException",
];

/** The function's network is not ready yet, or has no free address until other runs end. */
const noNetwork = [
  "Lambda.ResourceNotReadyException",
  "Lambda.ENINotReadyException",
  "Lambda.ENILimitReachedException",
  "Lambda.SubnetIPAddressLimitReachedException",
  "Lambda.EC2ThrottledException",
  "Lambda.EC2UnexpectedException",
];

/**
 * Temporary errors. Errors that only a person can repair are not listed: a disabled or deleted key
 * (`Lambda.KMS…`), missing rights (`Lambda.EC2AccessDeniedException`), a deleted subnet or security group, a
 * runtime that Lambda has dropped, a bundle that does not load (`Runtime.ImportModuleError`). After one of
 * those the step fails at once and the operation says why; an undo waits for a person. Errors of features that
 * the functions do not use (file systems, snapshots) cannot occur.
 */
export const passingErrors: readonly string[] = [...died, ...busy, ...noNetwork];
