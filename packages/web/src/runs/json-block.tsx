import { toExactJson, visibleText } from "@stemma/client";
import type { Json } from "@stemma/core";
import { useState } from "react";
import { RUN_STRINGS } from "../strings/run-strings";

/** Longer values are cut until they are asked for, in UTF-16 code units. */
const MAX_SHOWN = 4_000;

interface JsonBlockProps {
	readonly value: Json;
	/** Shows all of it from the begin on. */
	readonly isWhole?: boolean;
}

/** A value as text: JSON, or the text itself. */
export function JsonBlock({ value, isWhole = false }: JsonBlockProps) {
	const [isOpen, setOpen] = useState(isWhole);
	const text = typeof value === "string" ? value : toExactJson(value);
	const isCut = !isOpen && text.length > MAX_SHOWN;
	return (
		<>
			<pre dir="auto">{visibleText(isCut ? `${text.slice(0, MAX_SHOWN)}…` : text)}</pre>
			{isCut && (
				<button type="button" onClick={() => setOpen(true)}>
					{RUN_STRINGS.showWhole}
				</button>
			)}
		</>
	);
}
