import { useCallback, useEffect, useRef, useState } from "react";

/** Data of the service that a page shows. */
export interface Resource<Value> {
	/** Last value that was read; it stays while the next one is read. */
	readonly value: Value | undefined;
	readonly error: unknown;
	readonly isLoading: boolean;
	readonly reload: () => Promise<void>;
	/** Shows another value until the next is read. */
	readonly replace: (value: Value) => void;
}

/**
 * Reads data of the service when a component is shown, and again for another key.
 *
 * @param key - names what is read; a value of another key is not shown.
 * @param version - another one reads again, and the value stays meanwhile.
 */
export function useResource<Value>(
	key: string,
	read: (signal: AbortSignal) => PromiseLike<Value>,
	version = 0,
): Resource<Value> {
	const [state, setState] = useState<{ key: string; value?: Value; error?: unknown; isLoading: boolean }>({
		key,
		isLoading: true,
	});
	const latestRead = useRef(read);
	latestRead.current = read;
	const controller = useRef<AbortController>(undefined);

	const reload = useCallback(async () => {
		controller.current?.abort();
		controller.current = new AbortController();
		const { signal } = controller.current;
		setState((previous) => ({ ...(previous.key === key ? previous : { key }), isLoading: true }));
		try {
			const value = await latestRead.current(signal);
			if (!signal.aborted) setState({ key, value, isLoading: false });
		} catch (error) {
			if (!signal.aborted) setState((previous) => ({ ...previous, error, isLoading: false }));
		}
	}, [key]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: another version reads again.
	useEffect(() => {
		void reload();
		return () => controller.current?.abort();
	}, [reload, version]);

	const replace = useCallback((value: Value) => setState({ key, value, isLoading: false }), [key]);
	const isCurrent = state.key === key;
	return {
		value: isCurrent ? state.value : undefined,
		error: isCurrent ? state.error : undefined,
		isLoading: !isCurrent || state.isLoading,
		reload,
		replace,
	};
}
