// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AmountInput, acceptAmountText } from '../money/amount-input.tsx';
import { Button } from '../primitives/button.tsx';
import { Header } from '../layout/header.tsx';
import { PasswordField } from './password-field.tsx';
import { PasswordStrength } from './password-strength.tsx';
import { SearchBox } from './search-box.tsx';
import { TextField } from './text-field.tsx';

afterEach(cleanup);

function Password() {
  const [value, setValue] = useState('');
  return <PasswordField autoComplete="new-password" value={value} onValueChange={setValue} />;
}

function Amount({ start = '' }: { start?: string }) {
  const [value, setValue] = useState(start);
  return (
    <AmountInput
      label="Amount"
      unit="ATH"
      value={value}
      onValueChange={setValue}
      equivalent="~$3.45"
    />
  );
}

describe('PasswordField', () => {
  it('[S2-043] shows and hides the typed password', async () => {
    render(<Password />);
    const field = screen.getByLabelText<HTMLInputElement>('Password');
    await userEvent.type(field, 'Secret1!');
    expect(field.type).toBe('password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field.type).toBe('text');
    expect(field.value).toBe('Secret1!');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field.type).toBe('password');
  });

  it('has a toggle that does not submit the form', async () => {
    const handleSubmit = vi.fn();
    render(
      <form onSubmit={handleSubmit}>
        <Password />
      </form>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(handleSubmit).not.toHaveBeenCalled();
  });
});

describe('PasswordStrength', () => {
  it.each([
    ['', 'None'],
    ['a', 'None'],
    ['abcdefgh', 'Low'],
    ['abcdefg1', 'Low'],
    ['abcdef1!', 'Medium'],
    ['Abcdef1!', 'Strong'],
  ])('rates %j as %s in words', (password, words) => {
    render(<PasswordStrength password={password} />);
    expect(screen.getByRole('status').textContent).toBe(`Password strength: ${words}`);
  });

  it('[S5-015] starts at None', () => {
    render(<PasswordStrength password="" />);
    expect(screen.getByText('None')).toBeDefined();
  });

  it('ticks the rules that are met, in words too', () => {
    render(<PasswordStrength password="abcdefg1" />);
    const rules = screen.getAllByRole('listitem').map((rule) => rule.textContent);
    expect(rules).toEqual([
      'At least one special characterNot met yet',
      'At least one numberMet',
      'At least one uppercase letterNot met yet',
      'At least 8 charactersMet',
    ]);
  });
});

describe('AmountInput', () => {
  it.each(['abc', '1e5', '-1', '+1', '1.2.3', '1,000', '0x10', '１', '∞', '1 000'])(
    '[S5-028] reverts %j to the previous value',
    (text) => {
      render(<Amount start="12.5" />);
      const field = screen.getByLabelText<HTMLInputElement>('Amount');
      fireEvent.change(field, { target: { value: text } });
      expect(field.value).toBe('12.5');
    },
  );

  it.each(['', '0', '7', '7.', '.5', '12.50', '1234567.123456', '007'])(
    '[S5-028] accepts %j',
    (text) => {
      render(<Amount start="1" />);
      const field = screen.getByLabelText<HTMLInputElement>('Amount');
      fireEvent.change(field, { target: { value: text } });
      expect(field.value).toBe(text);
    },
  );

  it('[S5-028] drops letters typed between digits', async () => {
    render(<Amount />);
    await userEvent.type(screen.getByLabelText('Amount'), '1a2b.5c');
    expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('12.5');
  });

  it('takes the comma of a phone keypad as the decimal point, and refuses one in pasted text', () => {
    expect(acceptAmountText('12', '12,')).toBe('12.');
    expect(acceptAmountText('1.2', '1.2,')).toBeUndefined();
    expect(acceptAmountText('', '1,000')).toBeUndefined();
    expect(acceptAmountText('1', '1,5')).toBeUndefined();
  });

  it('announces the dollars with the amount', () => {
    render(<Amount />);
    const ids = screen.getByLabelText('Amount').getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(ids.map((id) => document.getElementById(id)?.textContent)).toContain('~$3.45');
  });
});

describe('TextField', () => {
  it('ties its error to the input and announces it', () => {
    const { rerender } = render(<TextField label="Email" value="" />);
    const input = screen.getByLabelText('Email');
    expect(input.getAttribute('aria-invalid')).toBeNull();
    rerender(<TextField label="Email" value="" error="Not an address" />);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toBe('Not an address');
    expect(input.getAttribute('aria-describedby')).toContain(alert.id);
  });
});

describe('Button', () => {
  it('is disabled while there is a reason, which is its description', () => {
    render(<Button disabledReason="Enter an amount to continue.">Next</Button>);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
    expect(button.disabled).toBe(true);
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(reason?.textContent).toBe('Enter an amount to continue.');
  });

  it('cannot be pressed twice while an action runs', async () => {
    const handleClick = vi.fn();
    render(
      <Button isPending onClick={handleClick}>
        Sending...
      </Button>,
    );
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sending...' });
    await userEvent.click(button);
    expect(handleClick).not.toHaveBeenCalled();
    expect(button.getAttribute('aria-busy')).toBe('true');
  });

  it('does not submit a form unless told to', async () => {
    const handleSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(
      <form onSubmit={handleSubmit}>
        <Button>Plain</Button>
        <Button type="submit">Go</Button>
      </form>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Plain' }));
    expect(handleSubmit).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Go' }));
    expect(handleSubmit).toHaveBeenCalledOnce();
  });
});

describe('Header', () => {
  it('[S2-039] has a back arrow only with an address to go back to', () => {
    const { rerender } = render(<Header title="Buy ATH" />);
    expect(screen.queryByRole('link', { name: 'Back' })).toBeNull();
    rerender(<Header title="Buy ATH" backTo="/app" />);
    expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/app');
  });

  it("[S2-040] offers a search box with placeholder 'Search...'", async () => {
    const handleSearch = vi.fn();
    const search = <SearchBox value="col" onValueChange={handleSearch} />;
    render(<Header title="Drinks" search={search} />);
    const box = screen.getByPlaceholderText('Search...');
    expect(screen.getByRole('searchbox', { name: 'Search' })).toBe(box);
    await userEvent.type(box, 'a');
    expect(handleSearch).toHaveBeenLastCalledWith('cola');
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(handleSearch).toHaveBeenLastCalledWith('');
  });

  it('keeps one h1, also with a hidden title', () => {
    render(<Header title="Home" isTitleHidden />);
    expect(screen.getAllByRole('heading', { level: 1 }).map((title) => title.textContent)).toEqual([
      'Home',
    ]);
  });
});
