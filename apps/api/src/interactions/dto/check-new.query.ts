import { TextField } from '@app/http';

export class CheckNewQuery {
  @TextField({
    optional: true,
    min: 1,
    max: 100,
    printable: true,
    description:
      'Only without `medications`. `classes` (default): one result for each kind, severity and action, partners by class, less ' +
      'than 64 kB. `full`: one result for each rule, each partner with all its names and brands. A `rule_id` or one of the ' +
      '`related_rules`: the results of only these rules, in full.',
    example: 'full',
  })
  detail?: string;
}
