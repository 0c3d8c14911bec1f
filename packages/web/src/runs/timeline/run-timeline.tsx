import { visibleText } from "@stemma/client";
import { useEffect, useMemo, useState } from "react";
import { useScope } from "../../data/app-context";
import { formatNumber } from "../../data/format";
import { NodeIcon } from "../../shell/node-icon";
import { RUN_STRINGS } from "../../strings/run-strings";
import { formatDuration } from "../format-duration";
import type { RunSpan, RunView } from "../run-view";
import { SpanDetails } from "./span-details";
import { createTimeAxis, type TimeAxis } from "./time-axis";

/** Steps that are drawn at once. */
const STEPS_SHOWN = 200;
/** Interval at which the bars of what goes on grow. */
const TICK_MS = 250;
/** Deeper steps are not indented further. */
const MAX_INDENT = 6;

/** Steps of a run as a waterfall: nodes, calls within them, and waits for people. */
export function RunTimeline({ view }: { readonly view: RunView }) {
	const seesSteps = useScope("agents:trace");
	const end = useEnd(view);
	const spans = useMemo(() => [...view.spans.values()], [view.spans]);
	return (
		<Timeline spans={spans} end={end} hint={seesSteps ? RUN_STRINGS.timelineHint : RUN_STRINGS.stepsHidden} />
	);
}

interface TimelineProps {
	readonly spans: readonly RunSpan[];
	/** End of the run, or now, in epoch milliseconds. */
	readonly end: number;
	readonly hint?: string;
}

/** Steps as bars on a line of time, each of which opens. */
export function Timeline({ spans, end, hint }: TimelineProps) {
	const words = RUN_STRINGS;
	const [shown, setShown] = useState(STEPS_SHOWN);
	const axis = useMemo(() => createTimeAxis(spans, end), [spans, end]);
	const hidden = spans.length - shown;
	return (
		<section className="panel" aria-label={words.timeline}>
			<h2>{words.timeline}</h2>
			{hint !== undefined && <p className="small">{hint}</p>}
			<ol className="timeline">
				{spans.slice(0, shown).map((span) => (
					<TimelineRow key={span.id} span={span} axis={axis} end={end} />
				))}
			</ol>
			{hidden > 0 && (
				<button type="button" onClick={() => setShown(shown + STEPS_SHOWN)}>
					{words.moreSteps(formatNumber(Math.min(hidden, STEPS_SHOWN)))}
				</button>
			)}
		</section>
	);
}

interface TimelineRowProps {
	readonly span: RunSpan;
	readonly axis: TimeAxis;
	readonly end: number;
}

function TimelineRow({ span, axis, end }: TimelineRowProps) {
	const words = RUN_STRINGS;
	const { kind, node, depth, startedAt, endedAt, status } = span;
	const [isOpen, setOpen] = useState(false);
	const left = axis(startedAt);
	const width = axis(endedAt ?? end) - left;
	const name = kind === "wait" ? words.kinds.wait : visibleText(node);
	return (
		<li data-status={status} data-kind={kind}>
			<details onToggle={(event) => setOpen(event.currentTarget.open)}>
				<summary>
					<span
						className="span-name"
						style={{ paddingInlineStart: `${Math.min(depth, MAX_INDENT) * 0.8}rem` }}
					>
						<NodeIcon kind={kind} />
						<span className="clip">{name}</span>
						{kind !== "wait" && <span className="small">{words.kinds[kind]}</span>}
					</span>
					<span className="span-track" aria-hidden="true">
						<span
							className="span-bar"
							style={{ insetInlineStart: `${left * 100}%`, width: `${width * 100}%` }}
						/>
					</span>
					<span className="span-time small">
						{formatDuration((endedAt ?? end) - startedAt)}
						{status !== "completed" && `, ${words.spanStatuses[status]}`}
					</span>
				</summary>
				{isOpen && <SpanDetails span={span} />}
			</details>
		</li>
	);
}

/** End of a run, or now, by the clock of the service. */
function useEnd({ events, status }: RunView): number {
	const last = events.at(-1);
	const lastAt = last === undefined ? 0 : Date.parse(last.at);
	const [passedMs, setPassedMs] = useState(0);
	useEffect(() => {
		setPassedMs(0);
		if (status !== "running" || lastAt === 0) return;
		const begin = performance.now();
		const timer = setInterval(() => setPassedMs(performance.now() - begin), TICK_MS);
		return () => clearInterval(timer);
	}, [lastAt, status]);
	return lastAt + passedMs;
}
