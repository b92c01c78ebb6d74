/** A professional who may decide about a medicine, or a place where such professionals work. */
const PROFESSIONAL =
  /\b(?:doctors?|pharmacists?|prescribers?|clinics?|teams?|nurse|vets?|specialists?|dentists?|midwife|surgeon|anaesthetist|psychiatrist|neurologist|hospital|ambulance|emergency|poison line|centre|unit|supervision|urgent care|seek help)\b/i;

/** Words about a change or stop of a medicine, or about a test. */
const CHANGE =
  /\b(?:choose|chosen|halve[sd]?|reduced?|raised?|increased?|doubled?|stop|stopped|pause[sd]?|adjust(?:ed)?|switch(?:ed)?|replaced?|skip|use another|use an alternative|lowest dose|lower dose|avoid the pair|do not combine|one of them|another (?:antibiotic|medicine|painkiller|class|antidepressant|statin)|no more than|(?:change|lower) (?:the )?dose|(?:check|measure) (?:the )?(?:INR|ECG|levels?|potassium|blood count|kidney|liver|creatinine|TSH|calcium|magnesium|\S+ level|both levels|blood counts))\b/i;

/** True when a text tells a person to change or stop a medicine but does not name who decides. */
export function namesNobody(management: string): boolean {
  return CHANGE.test(management) && !PROFESSIONAL.test(management);
}
