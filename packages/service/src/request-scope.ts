import type { TraceContext } from "@stemma/core";
import type { DocumentLinks } from "./answering/document-links";
import type { Caller } from "./auth/caller";
import type { ServiceKernel } from "./kernel";
import type { Workspace } from "./workspaces/workspace";

/** Scope of one request, however it was sent: who asks for what in which workspace. */
export interface RequestScope {
	readonly kernel: ServiceKernel;
	readonly workspace: Workspace;
	readonly caller: Caller;
	/** `req_…`, for the log and the audit. */
	readonly requestId: string;
	/** Number of services and runtimes that the request came through. */
	readonly depth: number;
	/** Announced size of the request in bytes; 0 where it is not known. */
	readonly bytes: number;
	/** Aborts when nobody waits for the response any more. */
	readonly signal: AbortSignal;
	readonly traceContext: TraceContext | undefined;
	/** Addresses of documents for the caller, added to what is sent. */
	readonly documentLinks: DocumentLinks;
}
