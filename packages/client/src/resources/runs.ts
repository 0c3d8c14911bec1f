import type { RunStatus } from "@stemma/core";
import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import { type OpenRunOptions, openRun } from "../streams/open-run";
import type { AgentRunStream } from "../streams/run-stream";
import type { Feedback, FeedbackRequest } from "../types/feedback";
import type { Deleted, PageOptions } from "../types/page";
import type { ApprovalDecisionRequest, RunRecord } from "../types/run";
import { createPaginatedList, type PaginatedList } from "./paginated-list";
import { type RunShares, runShares } from "./run-shares";

/** Client keys reach the runs alone whose token they have. */
export interface RunCallOptions extends CallOptions {
	/** Token of the run, from the started run, its stream or its first event. */
	readonly run_token?: string | undefined;
}

export interface RunFollowOptions extends RunCallOptions {
	/** The `seq` of the last event that is known; 0, the default, for all. */
	readonly after?: number | undefined;
}

export interface RunListOptions extends PageOptions {
	/** An id or a slug. */
	readonly agent_id?: string;
	readonly status?: "running" | RunStatus;
	/** `usr_…` of the person that started them. */
	readonly user_id?: string;
	/** RFC 3339, or a day: runs that started then or later. */
	readonly since?: string;
	/** RFC 3339, or a day: runs that started earlier. */
	readonly until?: string;
}

/** Runs that the service keeps. */
export interface Runs {
	list(filter?: RunListOptions, options?: CallOptions): PaginatedList<RunRecord>;
	get(runId: string, options?: RunCallOptions): Promise<WithRequestId<RunRecord>>;
	/**
	 * Joins a run that is under way, or reads one that has ended. From the last event of a run that has paused on, it waits
	 * for what comes next. An aborted signal stops the run; `close` does not.
	 */
	stream(runId: string, options?: RunFollowOptions): AgentRunStream;
	/** Cancels a run; has no effect on one that has ended. */
	cancel(runId: string, options?: RunCallOptions): Promise<WithRequestId<RunRecord>>;
	/**
	 * Decides on one of `result.approvals` of a run that has paused: it goes on at once, and others stay open. Needs the
	 * scope `runs:approve`, which client keys never have.
	 *
	 * @throws ConflictError `approval_decided` where it was decided otherwise before; ApiError 410 `approval_expired`.
	 */
	decide(
		runId: string,
		approvalId: string,
		decision: ApprovalDecisionRequest,
		options?: CallOptions,
	): Promise<WithRequestId<RunRecord>>;
	/**
	 * Rates the answer of a run that has ended. The same credential rates a run once: sent again, it replaces what was sent
	 * before.
	 *
	 * @throws ConflictError `run_not_ended`.
	 */
	sendFeedback(
		runId: string,
		feedback: FeedbackRequest,
		options?: RunCallOptions,
	): Promise<WithRequestId<Feedback>>;
	/** Takes a rating back. @throws NotFoundError `feedback_not_found` where there is none. */
	deleteFeedback(runId: string, options?: RunCallOptions): Promise<WithRequestId<Deleted>>;
	/** Links by which people see parts of a run without signing in. Not for client keys. */
	readonly shares: RunShares;
}

export const runPath = (runId: string): string => path`/v1/runs/${runId}`;

export const runs = (client: StemmaClient): Runs => ({
	list: (filter, options) => createPaginatedList(client, "/v1/runs", filter, options),
	get: (runId, options) =>
		client.request({ method: "GET", path: runPath(runId), headers: toTokenHeaders(options), options }),
	...createRunMethods(client, { runPath, supportsBackground: true }),
	sendFeedback: (runId, json, options) =>
		client.request({
			method: "POST",
			path: path`/v1/runs/${runId}/feedback`,
			headers: toTokenHeaders(options),
			json,
			options,
		}),
	deleteFeedback: (runId, options) =>
		client.request({
			method: "DELETE",
			path: path`/v1/runs/${runId}/feedback`,
			headers: toTokenHeaders(options),
			options,
		}),
	shares: runShares(client),
});

/** Methods of a run that services and runtimes have alike. */
export const createRunMethods = (
	client: StemmaClient,
	routes: Pick<OpenRunOptions, "runPath" | "supportsBackground">,
): Pick<Runs, "stream" | "cancel" | "decide"> => ({
	stream: (runId, { after = 0, run_token, ...options } = {}) =>
		openRun(client, { ...routes, cursor: { run_id: runId, run_token, seq: after }, options }),
	cancel: (runId, options) =>
		client.request({
			method: "POST",
			path: `${routes.runPath(runId)}/cancel`,
			headers: toTokenHeaders(options),
			options,
		}),
	decide: (runId, approvalId, json, options) =>
		client.request({
			method: "POST",
			path: routes.runPath(runId) + path`/approvals/${approvalId}`,
			json,
			options,
		}),
});

const toTokenHeaders = (options: RunCallOptions | undefined) => ({ "stemma-run-token": options?.run_token });
