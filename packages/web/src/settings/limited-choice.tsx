import { useId } from "react";
import { ADMIN_STRINGS } from "../strings/admin-strings";

/** Item that can be chosen. */
export interface Choice {
	readonly id: string;
	/** Text that is safe to show. */
	readonly name: string;
}

interface LimitedChoiceProps {
	readonly legend: string;
	readonly choices: readonly Choice[];
	/** Ids; `undefined` for all. */
	readonly chosen: ReadonlySet<string> | undefined;
	readonly onChange: (chosen: ReadonlySet<string> | undefined) => void;
}

/** Choice of all, or of some alone. */
export function LimitedChoice({ legend, choices, chosen, onChange }: LimitedChoiceProps) {
	const words = ADMIN_STRINGS.keys;
	const name = useId();
	const toggle = (id: string, isChosen: boolean) => {
		const next = new Set(chosen);
		if (isChosen) next.add(id);
		else next.delete(id);
		onChange(next);
	};
	return (
		<fieldset>
			<legend>{legend}</legend>
			<label className="choice">
				<input type="radio" name={name} checked={chosen === undefined} onChange={() => onChange(undefined)} />
				<span>{words.all}</span>
			</label>
			<label className="choice">
				<input type="radio" name={name} checked={chosen !== undefined} onChange={() => onChange(new Set())} />
				<span>{words.chosen}</span>
			</label>
			{chosen !== undefined && (
				<div className="choices">
					{choices.map((choice) => (
						<label key={choice.id} className="choice">
							<input
								type="checkbox"
								checked={chosen.has(choice.id)}
								onChange={(event) => toggle(choice.id, event.target.checked)}
							/>
							<span dir="auto">{choice.name}</span>
						</label>
					))}
				</div>
			)}
		</fieldset>
	);
}
