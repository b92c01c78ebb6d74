import { aBlob } from '../lib/stage.mjs';
import { idOf } from './ids.mjs';

/**
 * Who lives in a database of a growth run, and all that they store. Every id follows from a number, so that nothing has
 * to be remembered or looked up.
 *
 * Rows come in the order of time, one of each account in turn, as a service in use writes them: the records of one
 * account lie far apart in their table, each on a page of its own. Ids are UUIDv7, as the service makes them.
 */
export const RECORDS_PER_ACCOUNT = 50;
/** Accounts on top of the others: each with 10 years of doses, four a day, of one medication. */
export const TAKERS = 40;
/** Records of one taker: a profile, a medication and the doses. */
export const RECORDS_PER_TAKER = 2 + 4 * 3653;
/** Every fourth account keeps health statistics. */
export const STATS_OF_TRACKER = 20;
const TRACKED = 4;

const DAY_MS = 24 * 60 * 60 * 1000;
const DOSE_DAYS = 40;
const TAKER_DAYS = 3653;
const MEDICATIONS = 2;
const PROFILES = [1, 1, 1, 1, 1, 2, 2, 3];
const APPOINTMENTS = [1, 2];
const STATUSES = ['scheduled', 'completed', 'cancelled', 'missed'];

/** Blobs are not looked into, compressed or compared by anyone: a few are as good as millions. */
const BLOBS = Array.from({ length: 512 }, () => Buffer.from(JSON.stringify(aBlob())));

export class Population {
  /** @param accounts how many there are, besides the takers. @param now when it was loaded, in milliseconds. */
  constructor(accounts, now) {
    this.accounts = accounts;
    this.now = now;
    this.everyone = accounts + TAKERS;
  }

  get records() {
    return this.accounts * RECORDS_PER_ACCOUNT + TAKERS * RECORDS_PER_TAKER;
  }

  accountOf(n) {
    return idOf('account', 0, n, this.registeredAt(n));
  }

  profileOf(n, index = 0) {
    return idOf('profile', index, n, this.registeredAt(n));
  }

  medicationOf(n, index = 0) {
    return idOf('medication', index, n, this.registeredAt(n));
  }

  statOf(n, index) {
    return idOf('stat', index, n, this.statAt(n, index));
  }

  /** @param share a number from 0 to 1. @returns an account that keeps health statistics. */
  trackerAt(share) {
    return Math.floor((share * this.accounts) / TRACKED) * TRACKED;
  }

  takerAt(share) {
    return this.accounts + Math.floor(share * TAKERS);
  }

  /** Everybody came in the year before the first record of the mass, in the order of their numbers. */
  registeredAt(n) {
    return this.now - (2 - n / this.everyone) * 365 * DAY_MS;
  }

  statAt(n, index) {
    return this.now - (STATS_OF_TRACKER - index - n / this.everyone) * 7 * DAY_MS;
  }

  /** Table → columns → its rows. */
  tables() {
    return {
      accounts: {
        columns: `id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv, created_at`,
        rows: (out) => this.accountRows(out),
      },
      logins: {
        columns: 'email, account_id, kdf, kdf_iterations, kdf_salt',
        rows: (out) => this.loginRows(out),
      },
      sessions: {
        columns: 'account_id, id, created_at, token_hash, last_used_at',
        rows: (out) => this.sessionRows(out),
      },
      security_events: {
        columns: 'account_id, id, created_at, kind, origin',
        rows: (out) => this.eventRows(out),
      },
      profiles: {
        columns:
          'account_id, id, created_at, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv',
        rows: (out) => this.profileRows(out),
      },
      medications: {
        columns: 'account_id, id, created_at, profile_id, route, encrypted_data, dose_schedule',
        rows: (out) => this.medicationRows(out),
      },
      doses: {
        columns: 'account_id, id, created_at, medication_id, taken, logged_at',
        rows: (out) => this.doseRows(out),
      },
      appointments: {
        columns: 'account_id, id, created_at, profile_id, status, encrypted_data',
        rows: (out) => this.appointmentRows(out),
      },
      health_stats: {
        columns: 'account_id, id, created_at, profile_id, encrypted_data, recorded_at',
        rows: (out) => this.statRows(out),
      },
    };
  }

  *accountRows(out) {
    const hash = `$pbkdf2-sha512$i=210000$${'s'.repeat(22)}$${'h'.repeat(43)}`;
    const wrapped = 'w'.repeat(64);
    const iv = 'i'.repeat(16);
    for (let n = 0; n < this.everyone; n++) {
      out.row(8);
      out.uuid(this.accountOf(n));
      out.text(emailOf(n));
      out.text(hash);
      for (const text of [wrapped, iv, wrapped, iv]) out.text(text);
      out.timestamp(this.registeredAt(n));
      yield;
    }
  }

  *loginRows(out) {
    for (let n = 0; n < this.everyone; n++) {
      out.row(5);
      out.text(emailOf(n));
      out.uuid(this.accountOf(n));
      out.text('pbkdf2-sha256');
      out.integer(600_000);
      out.text('s'.repeat(24));
      yield;
    }
  }

  *sessionRows(out) {
    for (let n = 0; n < this.everyone; n++) {
      const at = this.now - (1 - n / this.everyone) * 20 * DAY_MS;
      out.row(5);
      out.uuid(this.accountOf(n));
      out.uuid(idOf('session', 0, n, at));
      out.timestamp(at);
      out.text(BLOBS[n % BLOBS.length].subarray(0, 32));
      out.timestamp(at);
      yield;
    }
  }

  *eventRows(out) {
    for (let index = 0; index < 2; index++) {
      for (let n = 0; n < this.everyone; n++) {
        const at = this.now - (2 - index - n / this.everyone) * 60 * DAY_MS;
        out.row(5);
        out.uuid(this.accountOf(n));
        out.uuid(idOf('event', index, n, at));
        out.timestamp(at);
        out.text('login');
        out.text(BLOBS[n % BLOBS.length].subarray(0, 32));
        yield;
      }
    }
  }

  *profileRows(out) {
    for (let n = 0; n < this.everyone; n++) {
      const count = n < this.accounts ? PROFILES[n % PROFILES.length] : 1;
      for (let index = 0; index < count; index++) {
        out.row(9);
        out.uuid(this.accountOf(n));
        out.uuid(this.profileOf(n, index));
        out.timestamp(this.registeredAt(n));
        out.text(index === 2 ? 'pet' : 'human');
        out.text(index === 0 ? 'self' : 'family');
        out.text('w'.repeat(64));
        out.text('i'.repeat(16));
        out.text(blobOf(n + index));
        out.text('i'.repeat(16));
        yield;
      }
    }
  }

  *medicationRows(out) {
    for (let index = 0; index < MEDICATIONS; index++) {
      for (let n = 0; n < (index === 0 ? this.everyone : this.accounts); n++) {
        out.row(7);
        out.uuid(this.accountOf(n));
        out.uuid(this.medicationOf(n, index));
        out.timestamp(this.registeredAt(n));
        out.uuid(this.profileOf(n));
        out.text('oral');
        out.text(blobOf(n + index));
        out.text(n < this.accounts ? '{"times_per_day":1}' : '{"times_per_day":4}');
        yield;
      }
    }
  }

  /** Day by day, the takers at the end of each. Before the first day of all others there are only they. */
  *doseRows(out) {
    for (let day = 0; day < TAKER_DAYS; day++) {
      const start = this.now - (TAKER_DAYS - day) * DAY_MS;
      const dosesDay = day - (TAKER_DAYS - DOSE_DAYS);
      for (let n = 0; dosesDay >= 0 && n < this.accounts; n++) {
        this.dose(out, n, dosesDay % MEDICATIONS, dosesDay, start + (n / this.everyone) * DAY_MS);
        yield;
      }
      for (let time = 0; time < 4; time++) {
        for (let n = this.accounts; n < this.everyone; n++) {
          this.dose(out, n, 0, day * 4 + time, start + (time + (n / this.everyone) * 0.5) * 0.25 * DAY_MS);
          yield;
        }
      }
    }
  }

  dose(out, n, medication, index, at) {
    out.row(6);
    out.uuid(this.accountOf(n));
    out.uuid(idOf('dose', index, n, at));
    out.timestamp(at);
    out.uuid(this.medicationOf(n, medication));
    out.boolean((n + index) % 10 !== 0);
    out.timestamp(at);
  }

  *appointmentRows(out) {
    for (let index = 0; index < 2; index++) {
      const at = (n) => this.now - (2 - index - n / this.everyone) * 100 * DAY_MS;
      for (let n = 0; n < this.accounts; n++) {
        if (index >= APPOINTMENTS[n % APPOINTMENTS.length]) continue;
        out.row(6);
        out.uuid(this.accountOf(n));
        out.uuid(idOf('appointment', index, n, at(n)));
        out.timestamp(at(n));
        out.uuid(this.profileOf(n));
        out.text(STATUSES[(n + index) % STATUSES.length]);
        out.text(blobOf(n + index));
        yield;
      }
    }
  }

  *statRows(out) {
    for (let index = 0; index < STATS_OF_TRACKER; index++) {
      for (let n = 0; n < this.accounts; n += TRACKED) {
        const at = this.statAt(n, index);
        out.row(6);
        out.uuid(this.accountOf(n));
        out.uuid(this.statOf(n, index));
        out.timestamp(at);
        out.uuid(this.profileOf(n));
        out.text(blobOf(n + index));
        out.timestamp(at);
        yield;
      }
    }
  }
}

function emailOf(n) {
  return `person${n}@example.org`;
}

function blobOf(n) {
  return BLOBS[n % BLOBS.length];
}
