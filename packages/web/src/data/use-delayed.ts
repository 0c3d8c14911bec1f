import { useEffect, useState } from "react";

/** Value as it was before the last changes that came faster than the delay. */
export function useDelayed<Value>(value: Value, delayMs: number): Value {
	const [delayed, setDelayed] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setDelayed(value), delayMs);
		return () => clearTimeout(timer);
	}, [value, delayMs]);
	return delayed;
}
