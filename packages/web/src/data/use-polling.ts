import { useEffect } from "react";
import type { Resource } from "./use-resource";

/**
 * Reads a resource again some time after each read, also after one that has failed: the network may be back.
 *
 * @param isWanted - whether what was read last may change by itself.
 * @param intervalMs - between the end of a read and the next one.
 */
export function usePolling(
	{ isLoading, reload }: Pick<Resource<unknown>, "isLoading" | "reload">,
	isWanted: boolean,
	intervalMs: number,
): void {
	useEffect(() => {
		// The end of each read starts the timer of the next one.
		if (!isWanted || isLoading) return;
		const timer = setTimeout(() => void reload(), intervalMs);
		return () => clearTimeout(timer);
	}, [isWanted, isLoading, reload, intervalMs]);
}
