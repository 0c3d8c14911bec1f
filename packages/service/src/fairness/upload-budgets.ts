import type { FairQueue } from "@stemma/protocol";
import type { LimitsConfiguration } from "../configuration/configuration";
import { type ByteBudget, createByteBudget } from "./byte-budget";
import { createWorkspaceQueue } from "./workspace-queue";

type Limits<Key extends keyof LimitsConfiguration> = Pick<LimitsConfiguration, Key>;

/** Budget of the request bodies that are in memory. */
export const createBodyBudget = ({
	bodyBytes,
	totalBodyBytes,
}: Limits<"bodyBytes" | "totalBodyBytes">): ByteBudget =>
	createByteBudget({
		totalBytes: totalBodyBytes,
		workspaceBytes: bodyBytes,
		name: "request bodies in memory",
		settings: { total: "limits.total_body_bytes", workspace: "limits.body_bytes" },
	});

/** Budget of the uploads that are on the disk and not stored yet. */
export const createSpoolBudget = ({
	spoolBytes,
	totalSpoolBytes,
}: Limits<"spoolBytes" | "totalSpoolBytes">): ByteBudget =>
	createByteBudget({
		totalBytes: totalSpoolBytes,
		workspaceBytes: spoolBytes,
		name: "uploads that are not stored yet",
		settings: { total: "limits.total_spool_bytes", workspace: "limits.spool_bytes" },
		retryAfterSeconds: 5,
	});

/** Memory of an upload that goes to the disk: what is on its way there. */
export const SPOOLING_BYTES = 512 * 1024;

/** Longest time that an upload waits until others of its workspace are stored, in milliseconds. */
export const MAX_UPLOAD_WAIT_MS = 60_000;

/**
 * Queue of uploads that go to the disk, from their first byte until they are stored. Together they use half of the budget
 * of bodies: the others wait, and hold no memory until it is their turn.
 */
export const createUploadQueue = ({
	bodyBytes,
	totalBodyBytes,
}: Limits<"bodyBytes" | "totalBodyBytes">): FairQueue =>
	createWorkspaceQueue({
		concurrency: toUploads(totalBodyBytes),
		concurrencyPerWorkspace: toUploads(bodyBytes),
		// Requests in flight are limited where they come in.
		maxWaiting: Number.POSITIVE_INFINITY,
		maxWaitMs: MAX_UPLOAD_WAIT_MS,
		name: "uploads",
		retryAfterSeconds: 5,
	});

const toUploads = (bytes: number): number => Math.max(1, Math.floor(bytes / 2 / SPOOLING_BYTES));
