/** What can be aborted together: the whole run, and within it siblings of which one failing makes the others useless. */
export interface AbortScopes {
	/** Aborts with the scope, and so does all within it. */
	controllerOf(scope: number): AbortController;
	open(scope: number, within: number): void;
	/** As the scope's, and aborts at the end of the run too: tools may go on after their result. */
	toolSignalOf(scope: number): AbortSignal;
	/** Nobody waits for tools any more. */
	end(): void;
}

export function createAbortScopes(): AbortScopes {
	const whole = new AbortController();
	const scopes = new Map<number, AbortController>();
	const ofTools = new Map<number, AbortController>();
	const controllerOf = (scope: number): AbortController => scopes.get(scope) ?? whole;

	return {
		controllerOf,
		open(scope, within) {
			scopes.set(scope, createWithin(controllerOf(within)));
		},
		toolSignalOf(scope) {
			const known = ofTools.get(scope) ?? createWithin(controllerOf(scope));
			ofTools.set(scope, known);
			return known.signal;
		},
		end() {
			for (const controller of ofTools.values()) controller.abort();
		},
	};
}

/** Aborts with the outer one, and may be aborted alone. */
function createWithin(outer: AbortController): AbortController {
	const controller = new AbortController();
	if (outer.signal.aborted) controller.abort();
	else outer.signal.addEventListener("abort", () => controller.abort(), { once: true });
	return controller;
}

/** As the outer one until it is released, and may be aborted alone. */
export function followSignal(outer: AbortSignal) {
	const controller = new AbortController();
	const abort = (): void => controller.abort();
	if (outer.aborted) abort();
	else outer.addEventListener("abort", abort, { once: true });
	return {
		signal: controller.signal,
		abort,
		release: (): void => outer.removeEventListener("abort", abort),
	};
}
