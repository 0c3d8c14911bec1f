import { useId, useState } from "react";
import { useApp, useScope } from "../../data/app-context";
import { useAction } from "../../data/use-action";
import { CopyNotice } from "../../shell/copy-notice";
import { ErrorNotice } from "../../shell/error-notice";
import { SHARE_FIELD_LABELS, SHARE_STRINGS } from "../../strings/share-strings";
import { DEFAULT_FIELDS, listFields, toggleField } from "./share-choice";

const DEFAULT_HOURS = "168";

interface ShareFormProps {
	readonly runId: string;
	/** Called once a link was made. */
	readonly onCreate: () => void;
}

/** Choice of what a link shows and for how long, and the link that was made. */
export function ShareForm({ runId, onCreate }: ShareFormProps) {
	const words = SHARE_STRINGS;
	const { stemma } = useApp();
	const seesSteps = useScope("agents:trace");
	const id = useId();
	const [fields, setFields] = useState(DEFAULT_FIELDS);
	const [hours, setHours] = useState(DEFAULT_HOURS);
	const [link, setLink] = useState<string>();
	const create = useAction(async () => {
		setLink(undefined);
		const chosen = listFields(seesSteps).filter((field) => fields.has(field));
		const created = await stemma.runs.shares.create(runId, {
			...{ fields: chosen, expires_in_hours: Number(hours) },
		});
		setLink(created.link);
		onCreate();
	});
	return (
		<>
			<fieldset className="share-fields">
				<legend>{words.fields}</legend>
				{listFields(seesSteps).map((field) => (
					<label key={field}>
						<input
							type="checkbox"
							checked={fields.has(field)}
							onChange={() => setFields(toggleField(fields, field))}
						/>
						{SHARE_FIELD_LABELS[field]}
					</label>
				))}
			</fieldset>
			<div className="row ends">
				<div className="field fixed">
					<label htmlFor={`${id}-hours`}>{words.expires}</label>
					<select id={`${id}-hours`} value={hours} onChange={(event) => setHours(event.target.value)}>
						{Object.entries(words.validities).map(([value, label]) => (
							<option key={value} value={value}>
								{label}
							</option>
						))}
					</select>
				</div>
				<button
					type="button"
					className="primary"
					disabled={create.isRunning || fields.size === 0}
					onClick={() => void create.run()}
				>
					{words.create}
				</button>
			</div>
			<ErrorNotice error={create.error} />
			{link && <CopyNotice lead={words.created} text={link} />}
		</>
	);
}
