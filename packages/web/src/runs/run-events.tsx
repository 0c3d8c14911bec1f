import { visibleText, type WireRunEvent } from "@stemma/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { formatNumber } from "../data/format";
import { RUN_STRINGS } from "../strings/run-strings";
import { formatDuration } from "./format-duration";
import { JsonBlock } from "./json-block";
import { summarizeEvent } from "./summarize-event";

/** Height of a row before it was measured, in pixels. */
const ROW_HEIGHT = 34;
const ROWS_AROUND = 10;

/** Events of a run, of which those in sight alone are drawn. */
export function RunEvents({ events }: { readonly events: readonly WireRunEvent[] }) {
	const words = RUN_STRINGS;
	const [isShown, setShown] = useState(false);
	return (
		<section className="panel" aria-label={words.events}>
			<div className="row">
				<h2 className="clip">{words.events}</h2>
				<span className="small">{words.eventsCount(formatNumber(events.length))}</span>
				<button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
					{isShown ? words.hideEvents : words.showEvents}
				</button>
			</div>
			{isShown && <EventRows events={events} />}
		</section>
	);
}

function EventRows({ events }: { readonly events: readonly WireRunEvent[] }) {
	const scroll = useRef<HTMLElement>(null);
	const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
	const rows = useVirtualizer({
		count: events.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => ROW_HEIGHT,
		overscan: ROWS_AROUND,
	});
	const start = Date.parse(events[0]?.at ?? "");
	const toggle = (seq: number) => {
		const next = new Set(open);
		if (!next.delete(seq)) next.add(seq);
		setOpen(next);
	};
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
		<section ref={scroll} className="events" tabIndex={0} aria-label={RUN_STRINGS.eventList}>
			<div style={{ height: `${rows.getTotalSize()}px` }}>
				{rows.getVirtualItems().map(({ index, start: top }) => {
					const event = events[index];
					return (
						event && (
							<div
								key={event.seq}
								ref={rows.measureElement}
								data-index={index}
								style={{ transform: `translateY(${top}px)` }}
							>
								<EventRow
									event={event}
									start={start}
									isOpen={open.has(event.seq)}
									onToggle={() => toggle(event.seq)}
								/>
							</div>
						)
					);
				})}
			</div>
		</section>
	);
}

interface EventRowProps {
	readonly event: WireRunEvent;
	/** Time of the first event. */
	readonly start: number;
	readonly isOpen: boolean;
	readonly onToggle: () => void;
}

function EventRow({ event, start, isOpen, onToggle }: EventRowProps) {
	const { seq, type, at } = event;
	return (
		<>
			<button type="button" className="event" aria-expanded={isOpen} onClick={onToggle}>
				<span className="small event-number">{seq}</span>
				<span className="small event-time">+{formatDuration(Date.parse(at) - start)}</span>
				<code>{visibleText(type)}</code>
				<span className="clip small">{visibleText(summarizeEvent(event))}</span>
			</button>
			{isOpen && <JsonBlock value={JSON.stringify(event, null, 2)} />}
		</>
	);
}
