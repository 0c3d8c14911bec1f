/** Errors of the service, which are those of every server. */
export { DomainError, type DomainErrorOptions } from "@stemma/protocol";
