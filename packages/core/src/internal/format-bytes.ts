const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** Size for people: `12 KiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
	const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
	const amount = bytes / 1024 ** power;
	return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[power]}`;
}
