import { visibleText } from "@stemma/client";
import { useRef } from "react";
import { STRINGS } from "../strings/strings";
import { ALL_KNOWLEDGE, type AnswerChoices, type AnswerTarget } from "./answer-target";

interface TargetPickerProps {
	readonly target: AnswerTarget;
	readonly choices: AnswerChoices;
	readonly onChange: (target: AnswerTarget) => void;
}

/** Choice of what answers: knowledge bases, or an agent. */
export function TargetPicker({ target, choices, onChange }: TargetPickerProps) {
	const words = STRINGS.ask;
	const menu = useRef<HTMLDetailsElement>(null);
	const { knowledgeBases, agents } = choices;
	const chosen = target.kind === "knowledge" ? target.ids : [];
	const toggle = (id: string) => {
		const ids = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
		onChange({ kind: "knowledge", ids });
	};
	return (
		<details
			ref={menu}
			className="menu picker"
			onKeyDown={(event) => event.key === "Escape" && menu.current?.removeAttribute("open")}
		>
			<summary>
				<span className="faint">{words.answersFrom}</span> <strong>{describeTarget(target, choices)}</strong>
			</summary>
			<div className="menu-panel">
				<fieldset>
					<legend>{words.knowledgeBases}</legend>
					<label className="choice">
						<input
							type="checkbox"
							checked={target.kind === "knowledge" && chosen.length === 0}
							onChange={() => onChange(ALL_KNOWLEDGE)}
						/>
						<span>{capitalize(words.allKnowledge)}</span>
					</label>
					{knowledgeBases.map(({ id, name }) => (
						<label className="choice" key={id}>
							<input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
							<span dir="auto">{visibleText(name)}</span>
						</label>
					))}
				</fieldset>
				<fieldset>
					<legend>{words.agents}</legend>
					{agents.length === 0 && <p className="small">{words.noAgents}</p>}
					{agents.map(({ id, slug, name }) => (
						<label className="choice" key={id}>
							<input
								type="radio"
								name="agent"
								checked={target.kind === "agent" && target.id === id}
								onChange={() => onChange({ kind: "agent", id })}
							/>
							<span dir="auto">{visibleText(name ?? slug)}</span>
						</label>
					))}
				</fieldset>
			</div>
		</details>
	);
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function describeTarget(target: AnswerTarget, { knowledgeBases, agents }: AnswerChoices): string {
	const words = STRINGS.ask;
	if (target.kind === "agent") {
		const agent = agents.find(({ id }) => id === target.id);
		return visibleText(agent?.name ?? agent?.slug ?? target.id);
	}
	const [first, ...others] = target.ids;
	if (first === undefined) return words.allKnowledge;
	if (others.length > 0) return words.chosenKnowledge(target.ids.length);
	return visibleText(knowledgeBases.find(({ id }) => id === first)?.name ?? first);
}
