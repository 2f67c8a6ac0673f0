package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Source is where settings come from.
type Source struct {
	Args     []string // without the program's name
	Environ  []string // NAME=value
	ReadFile func(name string) ([]byte, error)
	Usage    io.Writer // for -help and for flags that are wrong
}

// Load reads the settings. The error is flag.ErrHelp where help was asked for and given.
func Load(src Source) (Config, Action, error) {
	s := newSettings(src.Usage)
	if err := s.environ(src.Environ); err != nil {
		return Config{}, Action{}, err
	}
	if err := s.set.Parse(src.Args); err != nil {
		return Config{}, Action{}, err
	}
	if s.set.NArg() > 0 {
		return Config{}, Action{}, fmt.Errorf("argument %q: there are flags only", s.set.Arg(0))
	}
	if s.file != "" {
		if err := s.readFile(src); err != nil {
			return Config{}, Action{}, err
		}
	}
	if err := s.complete(); err != nil {
		return Config{}, Action{}, err
	}
	return s.config, s.action, nil
}

// readFile starts again from the file, and puts the environment and the flags on top of it.
func (s *settings) readFile(src Source) error {
	text, err := src.ReadFile(s.file)
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	over := newSettings(io.Discard)
	if err := decode(text, &over.config); err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	if err := errors.Join(over.environ(src.Environ), over.set.Parse(src.Args)); err != nil {
		return err
	}
	*s = *over
	return nil
}

// decode reads one YAML document, in which every key must be known.
func decode(text []byte, to *Config) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(to); err != nil && !errors.Is(err, io.EOF) {
		return errors.New(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n  ", " "), "yaml: "))
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one YAML document")
	}
	return nil
}

// complete fills in what was left out, and checks everything.
func (s *settings) complete() error {
	if len(s.config.Resources) > 0 && len(s.intel.used) > 0 {
		return fmt.Errorf("%s: the configuration lists its resources, so say it there", strings.Join(s.intel.used, ", "))
	}
	if len(s.config.Resources) == 0 {
		resources, err := s.intel.resources()
		if err != nil {
			return err
		}
		s.config.Resources = resources
	}
	if s.action.Output != "table" && s.action.Output != "json" {
		return fmt.Errorf("-o %q: use table or json", s.action.Output)
	}
	return s.config.complete()
}

// YAML gives the configuration as a file that Load reads back to the same.
func (c Config) YAML() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(c); err != nil {
		return nil, fmt.Errorf("writing the configuration: %w", err)
	}
	return b.Bytes(), nil
}
