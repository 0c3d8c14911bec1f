import { sanitizeLine, style, type Terminal } from "./terminal";

/** A bar on one line of standard error while something is read; nothing at all where no person looks on. */
export interface ProgressBar {
	update(done: number, total: number, label: string): void;
	clear(): void;
}

const REDRAW_MS = 40;
const BAR_WIDTH = 24;

export function createProgressBar({ stderr }: Pick<Terminal, "stderr">, title: string): ProgressBar {
	let drawnAt = 0;
	if (!stderr.isTTY) return { update: () => undefined, clear: () => undefined };
	return {
		update(done, total, label) {
			const now = Date.now();
			if (done < total && now - drawnAt < REDRAW_MS) return;
			drawnAt = now;
			stderr.write(`\r\u001B[2K${drawLine(title, done, total, label, stderr)}`);
		},
		clear: () => void stderr.write("\r\u001B[2K"),
	};
}

function drawLine(
	title: string,
	done: number,
	total: number,
	label: string,
	stderr: NodeJS.WriteStream,
): string {
	const counts = `${done}/${total}`;
	// A line that wraps could not be wiped.
	const free = (stderr.columns || 80) - title.length - counts.length - 4;
	const width = Math.max(0, Math.min(BAR_WIDTH, free));
	const filled = total === 0 ? 0 : Math.round((done / total) * width);
	const bar = style(stderr, "cyan", "█".repeat(filled)) + style(stderr, "dim", "░".repeat(width - filled));
	const room = free - width;
	const clean = sanitizeLine(label);
	const shown = clean.length > room ? `…${clean.slice(-Math.max(room - 1, 0))}` : clean;
	return `${title} ${bar} ${counts} ${room > 8 ? style(stderr, "dim", shown) : ""}`;
}
