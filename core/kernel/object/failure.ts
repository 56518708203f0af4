/** Why an operation failed or was cancelled: the step, and the error. */
export interface Failure {
  /** The step that failed; empty where no step had begun. */
  step: string;
  kind: string;
  message: string;
  /** The call that was refused, such as `PATCH hostedclusters/demo`; hidden from tenants. */
  call?: string;
  /** Whether everything that the operation claimed is released; absent while unknown. */
  given_back?: boolean;
}
