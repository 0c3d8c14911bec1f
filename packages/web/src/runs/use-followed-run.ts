import type { WireRunEvent } from "@stemma/client";
import { useCallback, useEffect, useState } from "react";
import { useApp } from "../data/app-context";
import { followRun } from "./follow-run";
import { EMPTY_RUN_VIEW, type RunView, reduceRunView } from "./run-view";

/** Run as it is followed. */
export interface FollowedRun {
	readonly view: RunView;
	/** Error of reading it; the run itself may go on. */
	readonly error: unknown;
	readonly retry: () => void;
}

/** Time in which events are collected before they are shown together. */
const FRAME_MS = 32;

/** Follows a run from its first event on, as long as it is shown. Without one, there is nothing to see. */
export function useFollowedRun(runId: string | undefined): FollowedRun {
	const { stemma } = useApp();
	const [view, setView] = useState(EMPTY_RUN_VIEW);
	const [error, setError] = useState<unknown>();
	const [attempt, setAttempt] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads it again.
	useEffect(() => {
		const controller = new AbortController();
		const { signal } = controller;
		const collector = createCollector((events) => setView((before) => reduceRunView(before, events)));
		setView(EMPTY_RUN_VIEW);
		setError(undefined);
		if (runId === undefined) return;
		followRun(stemma.runs, runId, { onEvent: collector.add, signal }).catch((caught: unknown) => {
			if (!signal.aborted) setError(caught);
		});
		return () => {
			controller.abort();
			collector.stop();
		};
	}, [stemma, runId, attempt]);
	const retry = useCallback(() => setAttempt((count) => count + 1), []);
	return { view, error, retry };
}

/** Collects events, and hands them on together. */
function createCollector(onEvents: (events: readonly WireRunEvent[]) => void) {
	let events: WireRunEvent[] = [];
	let timer: ReturnType<typeof setTimeout> | undefined;
	const flush = (): void => {
		const collected = events;
		events = [];
		timer = undefined;
		onEvents(collected);
	};
	return {
		add(event: WireRunEvent): void {
			events.push(event);
			timer ??= setTimeout(flush, FRAME_MS);
		},
		stop: (): void => clearTimeout(timer),
	};
}
