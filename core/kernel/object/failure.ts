/** Why an operation ended as it did: the step, and the last words of what refused. */
export interface Failure {
  /** Empty where none had begun. */
  step: string;
  kind: string;
  message: string;
  /** Whether everything that was taken is given back; absent until that is known. */
  given_back?: boolean;
}
